"""Discord: commands, buttons, pictures, words."""
