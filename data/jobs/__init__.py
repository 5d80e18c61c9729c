"""Work that is due at a time, and done by one process."""
