"""What the sensors say: beams of the track, ring, rotor, cups, buttons."""
