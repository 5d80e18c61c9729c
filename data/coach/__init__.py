"""Grades of played rounds, and the mistakes among them."""
