"""Whole banks: backups, exports, and how they come back."""
