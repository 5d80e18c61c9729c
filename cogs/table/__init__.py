"""What all tables share on Discord: their message, its buttons, its forms, and who keeps it up to date."""
