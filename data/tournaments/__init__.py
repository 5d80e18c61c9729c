"""Tournaments, their entrants, and titles."""
