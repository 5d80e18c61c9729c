"""Backups of whole banks, exports, and how they are restored."""
