"""What whoever runs the bot needs: its log, its figures, whether it is well, and how it stops."""
