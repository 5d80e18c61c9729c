"""Members and guilds: accounts, settings, leaderboards, titles, training, and the breaks and limits of people."""
