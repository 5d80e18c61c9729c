"""`python -m engine.fairness`."""

from engine.fairness.cli import main

raise SystemExit(main())
