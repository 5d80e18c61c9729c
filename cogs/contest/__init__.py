"""Server tournaments on Discord: when they are, who is in, how they stand, and who tells it."""
