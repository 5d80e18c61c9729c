"""Run `python -m engine.fairness` (`cli`)."""

from engine.fairness.cli import main

raise SystemExit(main())
