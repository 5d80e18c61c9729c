"""Members and guilds: what they have set, where they stand, and how they are forgotten."""
