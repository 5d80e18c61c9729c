"""Jobs: work with a due time that exactly one process does."""
