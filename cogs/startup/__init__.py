"""Tasks of the start: commands and buttons are registered, and pings of an earlier process are deleted."""
