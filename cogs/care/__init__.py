"""Breaks, limits, and quiet for people who want to play less."""
