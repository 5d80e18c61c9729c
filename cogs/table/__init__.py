"""Everything that all tables share on Discord: message, buttons, forms, and the presenter that edits messages."""
