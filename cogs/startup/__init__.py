"""Tasks of the start: commands and buttons are registered, and the calls of an earlier process are removed."""
