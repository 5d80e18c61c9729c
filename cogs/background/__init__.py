"""Work that is repeated while the bot runs."""
