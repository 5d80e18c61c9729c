"""/leaderboard: boards of the season, and of all time."""
