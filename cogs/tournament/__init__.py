"""`/tournament`: its command, its messages and buttons, and the announcer that posts them."""
