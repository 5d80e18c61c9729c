"""Chips: what accounts are called, how they move, how a round is settled, and what the house hands out."""
