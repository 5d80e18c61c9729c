"""The coach's answers in words and pictures."""
