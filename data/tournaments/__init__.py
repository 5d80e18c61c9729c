"""Tournaments of servers, and their entrants."""
