// Where the rotor stands, from the edges of its encoder; as firmware/core/sense/rotor.py counts them.
// Angles in turns, counter-clockwise positive, 0 where the zero mark is at 0 degrees.

const DELAY_MS = 180; // it is drawn so much later: frames come every 50 ms, and some are late
const KEPT = 400; // steps: 3 turns

export class Encoder {
  constructor(lines, cycles) {
    this.a = lines.indexOf("enc_a");
    this.b = lines.indexOf("enc_b");
    this.z = lines.indexOf("enc_z");
    this.steps = 4 * cycles;
    this.forget();
  }

  forget() {
    this.count = 0;
    this.zero = null; // count where the mark is at 0 degrees
    this.rise = null;
    this.level = [0, 0];
    this.seen = []; // [t_us, count]
  }

  preset(levels) {
    this.forget();
    this.level = [levels[this.a], levels[this.b]];
  }

  edge(t_us, line, level) {
    if (level < 0 && [this.a, this.b, this.z].includes(line)) { // in doubt: steps may be missing
      this.zero = null;
      this.rise = null;
    } else if (line === this.a || line === this.b) {
      const channel = line === this.a ? 0 : 1;
      const other = this.level[1 - channel];
      this.level[channel] = level;
      const ccw = channel === 0 ? level !== other : level === other;
      this.count += ccw ? 1 : -1;
      this.seen.push([t_us, this.count]);
      if (this.seen.length > KEPT) this.seen.shift();
    } else if (line === this.z) {
      if (level === 1) this.rise = this.count;
      else if (this.rise !== null) {
        this.zero = (this.rise + this.count) / 2;
        this.rise = null;
      }
    }
  }

  get placed() { return this.zero !== null; }

  // The angle at a time of the controller's clock, in turns, between the two steps around it.
  at(t_us) {
    const seen = this.seen;
    if (!seen.length) return (this.count - (this.zero ?? 0)) / this.steps;
    let count = seen[0][1];
    for (let at = seen.length - 1; at >= 0; at -= 1) {
      if (seen[at][0] > t_us) continue;
      count = seen[at][1];
      const next = seen[at + 1];
      if (next) count += (next[1] - count) * ((t_us - seen[at][0]) / (next[0] - seen[at][0]));
      break;
    }
    return (count - (this.zero ?? 0)) / this.steps;
  }
}

// The controller's clock, as this page hears it: a message that came quickest says how late it is.
export class Clock {
  constructor() { this.offsets = []; }

  hear(t_us, ms) {
    if (t_us < this.told_us) this.offsets = []; // the controller began anew, and its time
    this.told_us = t_us;
    this.offsets.push(ms - t_us / 1000);
    if (this.offsets.length > 100) this.offsets.shift();
  }

  get known() { return this.offsets.length > 0; }

  // What time it is drawn as.
  now_us() { return (performance.now() - Math.min(...this.offsets) - DELAY_MS) * 1000; }
}
