"""Cards that the house cannot choose and anyone can deal again: the shuffle, the record of a round, and its check.

`docs/fairness.md` describes all of it byte by byte; `python -m engine.fairness` checks a round on the command line.
"""

from engine.fairness.shuffle import below, blocks, commitment, length_prefixed, shoe

__all__ = ["below", "blocks", "commitment", "length_prefixed", "shoe"]
