"""Checks of everything that a hosted bot depends on, with a remedy for whatever is wrong."""
