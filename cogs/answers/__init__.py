"""Answers to interactions: in time, in the reader's language, and only to presses from the right place."""
