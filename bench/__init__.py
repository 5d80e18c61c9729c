"""Figures: `python -m bench NAME` prints one line of JSON."""
