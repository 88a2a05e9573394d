"""`cylindre replay`: what the controller makes of a recorded trace."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware.config.choice import check_wheel, choose_game, read_config, warn_unverified
from firmware.lib.errors import CONFIGURATION, FAILED, USAGE, Failure
from firmware.lib.language import N_, Message, echo, translated

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.config.game import Game


@click.command(
    epilog="""\b
    Examples:
      cylindre replay trace.vcd --board roulette_ref
      cylindre replay trace.vcd --board boule_ref --json | jq 'select(.event == "void")'
      cylindre replay trace.vcd --board vingt_trois_ref --config house.toml
      cylindre replay trace.vcd --board roulette_ref --truth trace.truth.json
      cylindre replay records/000012-coup-7     as cylindre run --record kept it
      cylindre replay records --json            all that are kept
    """
)
@click.argument("trace", metavar="TRACE.vcd|RECORDS", type=click.Path())
@click.option(
    "--board", metavar="BOARD", help="The board the trace was recorded on; a record says it."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option(
    "--confirm",
    type=click.Choice(["auto", "croupier"]),
    help="Who confirms a detected number: nobody need, or the croupier with btn_start."
    "  [default: auto]",
)
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The house's configuration (TOML): rules, layout, cups, when boule calls.",
)
@click.option(
    "--truth",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What really happened: sets it beside what is decided, coup by coup.",
)
def command(
    trace: str, board: str | None, as_json: bool, confirm: str | None, config_path: Path | None,
    truth: Path | None,
) -> None:  # fmt: skip
    """Replay a sensor trace, at full speed and in its own time.

    Prints what was decided, as it was decided. A trace that is cut short or malformed ends with
    exit status 1, after everything that was decided before that point.

    With --truth: each coup's truth beside the decision, right, wrong or void, and whether the call
    came before the drop; then a summary. Exit status 1 if a number was wrong or was called late, or
    a coup that really happened was missed: none was opened for it.
    FILE is an array as beside the shared traces, or what cylindre sim --json printed.

    Of a record of cylindre run --record: plays its coups again as they came, and says event by
    event whether today's controller decides the same. Exit status 1 if one differs.
    """
    if Path(trace).is_dir():
        _compare(Path(trace), as_json=as_json, others=(board, confirm, config_path, truth))
        return
    if board is None:
        raise Failure(USAGE, N_("Which board was the trace recorded on? Give --board."))
    from firmware.text.event_text import human_line, json_line
    from tools.virtual.replay import replay

    config = read_config(config_path)
    if confirm is not None:
        config = replace(config, confirm=confirm)
    game = check_wheel(choose_game(board, config))
    warn_unverified(game)
    if truth is not None:
        _judge(trace, game, config, truth, as_json=as_json)
        return
    for fact in replay(trace, game, config):
        click.echo(json_line(fact) if as_json else translated(human_line(fact) or ""))


def _judge(trace: str, game: Game, config: Config, path: Path, *, as_json: bool) -> None:
    """Replays, and sets the truths in `path` beside it. Raises Failure, of what is wrong too."""
    from firmware.text.event_text import json_line
    from firmware.text.trace import TraceError
    from tools.virtual import truth_file
    from tools.virtual.replay import judged_replay
    from tools.virtual.score import VOID, Judged, Score, coup_line, summary, summary_lines

    known = {each.truth.t_start_us: each for each in truth_file.load(path, game.rules["layout"])}
    score = Score(turns=game.board["rotor"] != "none")
    unexpected, ended = 0, None
    if not as_json:
        echo(Message("{head}   kind", head=coup_line(None)))
    try:
        for item in judged_replay(
            trace, game, config, score, [each.truth for each in known.values()]
        ):
            if not isinstance(item, Judged):
                line = json_line(item) if as_json else None
            else:
                of = None if item.truth is None else known[item.truth.t_start_us]
                kind, expect = (of.kind, of.expect) if of else (None, None)
                unexpected += item.verdict == VOID and expect == truth_file.NUMBER
                line = Message("{coup}   {kind}", coup=coup_line(item), kind=kind or "-")
                if as_json:
                    line = json.dumps(item.as_json() | {"kind": kind, "expect": expect})
            if line is not None:
                click.echo(translated(line))
    except TraceError as error:
        ended = str(error)
    figures = summary(score) | {"board": game.board["name"], "unexpected_void": unexpected}
    if as_json:
        click.echo(json.dumps(figures))
    else:
        played = Message("{coups} coups on {board}", coups=figures["coups"], board=figures["board"])
        for each in summary_lines(played, figures):
            echo(each)
        if unexpected:
            echo(Message("Void, though a number was expected: {count}.", count=unexpected))
    if ended is not None:
        raise Failure(FAILED, ended)
    late = figures["late"] - figures["late_void"]
    if figures["wrong"] or late or figures["missed"]:
        raise Failure(
            FAILED,
            Message(
                "Wrong numbers: {wrong}; late calls: {late}; missed: {missed}; of {coups} coups.",
                wrong=figures["wrong"],
                late=late,
                missed=figures["missed"],
                coups=figures["coups"],
            ),
        )


def _compare(folder: Path, *, as_json: bool, others: tuple[object, ...]) -> None:
    """Plays recorded coups again. Raises Failure if one is decided otherwise, or is none."""
    import json

    from firmware.services.recorder import again, files
    from firmware.services.recorder.again import comparison_json, comparison_lines

    if any(other is not None for other in others):
        raise Failure(USAGE, N_("A record knows its board and configuration: give no other."))
    paths = [folder] if (folder / files.HEAD).exists() else files.recordings(folder)
    if not paths:
        raise Failure(
            FAILED,
            Message(
                "{folder}: no recorded coup is here; cylindre run --record DIR.", folder=folder
            ),
        )
    differing = 0
    for path in paths:
        try:
            head = files.load_head(path)
            coup, game = again.reopen(path, head)
        except files.RecordingError as error:
            raise Failure(FAILED, str(error)) from error
        except again.UnknownGame as error:
            raise Failure(CONFIGURATION, str(error)) from error
        found = again.compare(coup, game, head["house"])
        if as_json:
            for compared in found:
                click.echo(json.dumps(comparison_json(path, coup, compared), ensure_ascii=False))
        else:
            for line in comparison_lines(path, coup, found, again.changes(head, game)):
                echo(line)
        differing += any(compared.verdict != again.SAME for compared in found)
    if differing:
        if len(paths) == 1:
            raise Failure(FAILED, N_("The coup is not decided today as then."))
        raise Failure(
            FAILED,
            Message(
                "{differing} of {count} coups are not decided today as then.",
                differing=differing,
                count=len(paths),
            ),
        )
