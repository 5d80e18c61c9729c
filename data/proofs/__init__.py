"""The audit: every balance, round and pool proved from the transfers up, a small slice at a time."""
