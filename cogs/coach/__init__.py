"""The coach, as members see the solver: odds, warnings, statistics, strategy."""
