"""Solve a whole game, or one decision with --hand and --up: `python -m engine.solver RULES [field=value ...]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from engine.games.blackjack.rules import BlackjackRules
from engine.solver import BadPosition, Decision, Position, SolvedGame, UnknownRule, decision, game, rule_worths
from engine.solver.words import BadWords, read_hand, read_rank, read_rules, word


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print the message without the usage, and exit with code 2."""
        self.exit(2, f"{message}\n")


def main(words: Sequence[str], prog: str = "python -m engine.solver") -> int:
    """Print the answer to the question that the command line `words` asks, and return the exit code.

    It is 2 if there is no answer, and the reason is printed to standard error. Options that do not exist, and --help,
    raise SystemExit.
    """
    asked = _parser(prog).parse_args(words)
    try:
        rules = read_rules(asked.rules, asked.changes)
        lines = _one_hand(rules, asked) if asked.hand or asked.up else _whole_game(rules, asked)
    except (BadWords, BadPosition, UnknownRule) as bad:
        print(bad, file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = _Parser(prog=prog, description=__doc__)
    parser.add_argument("rules", metavar="RULES", help="a built-in rule set")
    parser.add_argument("changes", metavar="field=value", nargs="*", help='such as decks=2 or split="equal rank"')
    parser.add_argument("--hand", help="one decision: the player's cards, such as A,7")
    parser.add_argument("--up", help="the dealer's up card")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    return parser


# -- one decision ------------------------------------------------------------------------------------------------------


def _one_hand(rules: BlackjackRules, asked: argparse.Namespace) -> Iterator[str]:
    if not (asked.hand and asked.up):
        raise BadWords("one decision needs both --hand and --up")
    solved = decision(rules, Position.fresh(rules, read_hand(asked.hand), read_rank(asked.up)))
    return iter([json.dumps(_decision_json(solved))]) if asked.json else _decision_text(solved)


def _decision_json(solved: Decision) -> dict[str, Any]:
    fields: dict[str, Any] = {name: getattr(solved, name) for name in ("actions", "best", "bust", "dealer")}
    if solved.insurance is not None:
        fields["insurance"] = solved.insurance
    return {**fields, **_exactness(solved.why)}


def _exactness(why: Sequence[str]) -> dict[str, Any]:
    return {"exact": not why, **({"why": list(why)} if why else {})}


def _decision_text(solved: Decision) -> Iterator[str]:
    for action, worth in sorted(solved.actions.items(), key=lambda item: -item[1]):
        yield f"{action:<10}{worth:+.6f}{'  best' if action == solved.best else ''}"
    if solved.insurance is not None:
        yield f"{'insurance':<10}{solved.insurance:+.6f}  of the first stake, before the look"
    yield f"bust with the next card  {solved.bust:.2%}"
    yield "dealer  " + "  ".join(f"{total} {chance:.2%}" for total, chance in solved.dealer.items())
    yield from (f"not exact: {why}" for why in solved.why)


# -- the whole game ----------------------------------------------------------------------------------------------------


def _whole_game(rules: BlackjackRules, asked: argparse.Namespace) -> Iterator[str]:
    solved, worths = game(rules), rule_worths(rules)
    return iter([json.dumps(_game_json(solved, worths))]) if asked.json else _game_text(rules, solved, worths)


def _game_json(solved: SolvedGame, worths: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    return {
        "value": solved.value,
        "edge": solved.edge,
        **_exactness(solved.why),
        "split_convention": solved.split_convention,
        "chart": solved.chart,
        "off_chart": [{"hand": off.hand, "up": off.up, "play": off.play, "row": off.row} for off in solved.off_chart],
        "rules": worths,
    }


def _game_text(rules: BlackjackRules, solved: SolvedGame, worths: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield f"value       {solved.value:+.4%} of the first stake under best play"
    yield f"house edge  {solved.edge:+.4%}"
    yield f"splits      {solved.split_convention}: each hand played as the unsplit one would be"
    yield from (f"not exact: {why}" for why in solved.why)
    yield ""
    yield from _chart_text(solved)
    yield ""
    yield "What each rule is worth to the player, against:"
    for name, choices in worths.items():
        against = ", ".join(f"{choice} {worth:+.4%}" for choice, worth in choices.items())
        yield f"  {name}={word(getattr(rules, name))}: {against}"


def _chart_text(solved: SolvedGame) -> Iterator[str]:
    columns = list(next(iter(solved.chart.values())))
    lines = [["", *columns], *([row, *(cells[column] for column in columns)] for row, cells in solved.chart.items())]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
    for off in solved.off_chart:
        yield f"{off.hand} against {off.up}: {off.play} (the row says {off.row})"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
