"""What the coach says, in words and pictures."""
