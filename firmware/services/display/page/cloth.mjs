// A card table: its hands, how a round ended, and the roads. What is told is drawn, and no more.

const DASH = "–";
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const ROWS = 6; // of a road
const SEATS = 7;

let here = () => ""; // (group, name): what is said in the language of now

function element(name, kind = "", text = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function holder(name, kind, ...children) {
  const made = element(name, kind);
  made.append(...children);
  return made;
}

const rank = (letter) => here("ranks", letter) || letter;

// Colour, shape and letter of a suit: told apart without any one of them.
function face(card) {
  if (card === "back" || card === "dash") {
    const made = holder("span", `card ${card}`, element("b", "", card === "back" ? "" : DASH));
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", here("cloth", card));
    return made;
  }
  const [letter, suit] = card;
  const made = element("span", `card ${suit === "H" || suit === "D" ? "red-suit" : "black-suit"}`);
  made.dataset.card = card;
  made.append(element("b", "", rank(letter)), element("i", "", SUITS[suit]), element("small", "", here("suits", suit)));
  return made;
}

function cards(hand) {
  const made = element("div", "cards");
  const faces = hand.cards === null ? ["dash"] : hand.cards;
  made.style.setProperty("--count", Math.max(2, faces.length));
  made.style.setProperty("--half", Math.max(2, Math.ceil(faces.length / 2)));
  made.append(...faces.map(face));
  return made;
}

function drawn(hand, name) {
  const made = element("div", `hand${hand.has_turn ? " turn" : ""}`);
  made.dataset.place = hand.place;
  const said = element("p", "said");
  if (name) said.append(element("span", "who", name));
  said.append(element("b", "points", hand.points ?? DASH));
  if (hand.has_turn) said.append(element("span", "plays", `▶ ${here("cloth", "turn")}`));
  if (hand.end !== null) said.append(element("span", `end ${hand.end}`, here("ends", hand.end)));
  made.append(said, cards(hand));
  if (hand.events.length) {
    made.append(holder("p", "events", ...hand.events.map((event) => element("span", "", here("side_bets", event)))));
  }
  return made;
}

const seatOf = (hand) => Number(hand.place[1]);

// As who stands before the screen sees the table: the first seat, at the dealer's left, is right.
function blackjack(hands) {
  const dealer = hands.find((hand) => hand.place === "d");
  const parts = [];
  if (dealer) parts.push(holder("div", "dealer", drawn(dealer, here("cloth", "dealer"))));
  const seats = element("div", "seats");
  for (let seat = SEATS; seat > 0; seat -= 1) {
    const own = hands.filter((hand) => hand.place !== "d" && seatOf(hand) === seat);
    const made = element("div", own.length ? "seat" : "seat empty");
    made.dataset.seat = seat;
    made.style.setProperty("--hands", Math.max(1, own.length));
    made.style.setProperty("--across", own.length > 2 ? 2 : 1); // of many hands two beside each other
    made.style.setProperty("--down", own.length > 2 ? Math.ceil(own.length / 2) : Math.max(1, own.length));
    made.append(element("h2", "", `${here("cloth", "seat")} ${seat}`),
      holder("div", "own", ...own.map((hand) => drawn(hand, ""))));
    seats.append(made);
  }
  return [...parts, seats];
}

function baccarat(hands, winner) {
  return ["P", "B"].map((place) => {
    const name = place === "P" ? "player" : "banker";
    const hand = hands.find((each) => each.place === place);
    const made = element("div", `side ${name}${winner === name ? " won" : ""}`);
    // Which side it is stands there in letters, too, before any card lies there.
    if (hand) made.append(drawn(hand, here("cloth", name)));
    else {
      made.append(holder("p", "said", element("span", "who", here("cloth", name))), element("p", "dash", DASH));
    }
    return made;
  });
}

function columns(name) {
  return Number(getComputedStyle(document.getElementById("roads")).getPropertyValue(name));
}

function bead(winner) {
  const made = element("span", `bead ${winner ?? ""}`);
  made.append(element("b", "", winner === null ? "" : here("cloth", winner).charAt(0).toUpperCase()));
  return made;
}

function grid(name, title, wide, cells) {
  const made = element("div", `road ${name}`);
  const beads = element("div", "beads");
  beads.style.setProperty("--columns", wide);
  beads.append(...cells);
  made.append(title, beads);
  return made;
}

function road(roads) {
  const note = roads.is_whole ? "" : ` (${here("cloth", "begun")})`;
  const count = (name) => holder("span", "count", bead(name), element("b", "", String(roads[name])));
  const first = holder("h2", "", element("span", "", `${here("cloth", "bead")} `),
    count("player"), count("banker"), count("tie"));
  const wide = columns("--bead-columns");
  const from = Math.max(0, Math.ceil(roads.bead.length / ROWS) - wide) * ROWS;
  const beads = roads.bead.slice(from).map(bead);
  const long = columns("--big-columns");
  const last = Math.max(0, ...roads.big.map(([column]) => column));
  const off = Math.max(0, last + 1 - long);
  const runs = roads.big.filter(([column]) => column >= off).map(([column, row, winner, ties]) => {
    const made = bead(winner);
    made.style.gridArea = `${row + 1} / ${column - off + 1}`;
    if (ties) made.append(element("i", "ties", String(ties)));
    return made;
  });
  const second = element("h2", "", `${here("cloth", "big")}${note}`);
  return [grid("bead-road", first, wide, beads), grid("big-road", second, long, runs)];
}

// How the round ended, for the headline; nothing where it has not, or its record is not here.
export function headline(words, cloth) {
  if (cloth !== null && cloth.void !== null) {
    return words.cloth.why_void.replace("{void}", words.states.VOID).replace("{why}", words.reasons[cloth.void]);
  }
  if (cloth === null || cloth.result === null) return "";
  const { said, player, banker, dealer } = cloth.result;
  const text = (words.results[said] ?? "").replace("{}", dealer ?? "");
  return dealer === null ? `${text} ${player} – ${banker}` : text;
}

export function drawCloth(scene, speak) {
  here = speak;
  const { cloth, game } = scene;
  const isBaccarat = game === "baccarat";
  const hands = cloth === null ? [] : cloth.hands;
  const winner = cloth !== null && cloth.result !== null ? cloth.result.winner : null;
  const parts = [];
  if (cloth === null || (hands.length === 0 && !isBaccarat)) parts.push(element("p", "nothing", DASH));
  else parts.push(...(isBaccarat ? baccarat(hands, winner) : blackjack(hands)));
  const notes = [];
  if (cloth !== null && cloth.is_simulated) notes.push("simulated");
  if (cloth !== null && cloth.result !== null && cloth.result.by_hand) notes.push("by_hand");
  if (cloth !== null && cloth.is_last) notes.push("last_round");
  if (cloth !== null && cloth.has_more) notes.push("more");
  document.getElementById("notes").replaceChildren(...notes.map((name) => element("span", name, here("cloth", name))));
  const at = document.getElementById("cloth");
  at.className = isBaccarat ? "baccarat" : "blackjack";
  at.classList.toggle("void", cloth !== null && cloth.void !== null);
  at.replaceChildren(...parts);
  const known = cloth !== null && cloth.roads !== null;
  document.getElementById("roads").replaceChildren(...(known ? road(cloth.roads) : []));
}
