"""Duels: challenges, their messages, and the hands of both players."""
