"""The start of `python -m engine.fairness`, which checks a round's record (`cli`)."""

from engine.fairness.cli import main

raise SystemExit(main())
