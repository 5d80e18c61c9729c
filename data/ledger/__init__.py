"""Chips: the names of accounts, transfers, settled rounds, and what the house hands out."""
