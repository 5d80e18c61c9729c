"""Sets, which are the same deals for several people: Today's five, duels, tournaments, with tries and boards."""
