"""`/elimination`: its command, how its table reads, and what its own buttons do."""
