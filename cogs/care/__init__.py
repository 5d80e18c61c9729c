"""Help for people who want to play less: breaks, limits, and a note after two hours of play."""
