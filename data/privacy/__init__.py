"""The rights of people over their data: to get a copy of it, and to be forgotten."""
