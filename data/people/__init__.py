"""Members and guilds: their settings, leaderboards, grades, and how people are forgotten."""
