"""Chips: transfers, settled rounds, limits, what the house hands out, gifts, roles for chips, and resets."""
