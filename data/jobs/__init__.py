"""Work with a due time that exactly one process does, and the lease of the whole bank."""
