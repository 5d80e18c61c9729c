"""The steps of a hand of a set, for its animation (`cogs/table/motion.py`)."""

from __future__ import annotations

from cogs.coach.odds_text import in_a_line
from cogs.coach.stats_text import called
from cogs.table.motion import Moment
from cogs.today.hand import picture_of
from cogs.words import _
from engine.sets.answers import ACTIONS
from engine.sets.deals import Stream
from engine.sets.programme import UNIT
from engine.sets.tries import Try, deal_again


def moments(found: Try, stream: Stream, place: int) -> list[Moment]:
    """Return the moments of a hand in a person's try: the deal, then each decision with the worth of all choices.

    `place` is the hand's number, from 0.
    """
    letters, said = found.letters[place], [(_("The deal"), "")]
    for decision in found.grades[place].decisions:
        worths = {ACTIONS[letter]: worth / UNIT for letter, worth in decision.worths.items()}
        chosen = ACTIONS[decision.letter]
        said.append((called(chosen), in_a_line(worths, chosen)))
    rounds = [deal_again(found.prepared, stream, place, letters[:step]) for step in range(len(said))]
    return [Moment(picture_of(round), line, odds) for round, (line, odds) in zip(rounds, said, strict=True)]
