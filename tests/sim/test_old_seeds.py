"""A seed gives the coups that it gave before wheels had causes: what is new draws for itself."""

import json
from pathlib import Path

import pytest

import boards
import rules
from tools.sim.table import virtual_table

BOARDS = {"W1": "roulette_ref", "W2": "roulette_ref", "V1": "vingt_trois_ref"}
# Written by the simulator as it was before, with the rotor by hand; never to be written anew.
BEFORE = [
    json.loads(line)
    for line in Path(__file__).with_name("old_seeds.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("preset", BOARDS)
def test_the_coups_of_an_old_seed_are_what_they_were(preset):
    before = [truth for truth in BEFORE if truth["table"] == preset]
    board = boards.load(BOARDS[preset])
    table = virtual_table(board, rules.load(board["rules"]), preset, before[0]["seed"], hand=True)
    while table.finished < len(before):
        table.advance(table.now_us + 1_000_000, 0)
    named = {"table": preset, "seed": before[0]["seed"]}
    assert [{**named, **truth.as_dict()} for truth in table.truths[: len(before)]] == before
