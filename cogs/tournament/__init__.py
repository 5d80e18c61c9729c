"""`/tournament`: its command, its messages and buttons, and who tells what happens."""
