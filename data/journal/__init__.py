"""Tables and rounds: what is written of them, and how it is read back."""
