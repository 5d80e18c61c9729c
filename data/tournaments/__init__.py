"""Tournaments, who is in them, and titles."""
