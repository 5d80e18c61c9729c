"""The words for a play that would have been better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.words import N_, _, share
from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, SWAP

_BETTER: Final[Mapping[str, str]] = {
    HIT: N_("hitting was better by {share} of your bet"),
    STAND: N_("standing was better by {share} of your bet"),
    DOUBLE: N_("doubling was better by {share} of your bet"),
    SPLIT: N_("splitting was better by {share} of your bet"),
    SWAP: N_("swapping was better by {share} of your bet"),
    SURRENDER: N_("surrendering was better by {share} of your bet"),
    INSURE: N_("taking insurance was better by {share} of your bet"),
    DECLINE: N_("refusing insurance was better by {share} of your bet"),
}


def better(action: str, loss: float) -> str:
    """Return, within a sentence, which play was better and by how much of the bet."""
    return _(_BETTER[action], share=share(loss))
