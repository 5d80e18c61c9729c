"""Work that the bot does without a command: chores, registering commands, and presses of earlier processes."""
