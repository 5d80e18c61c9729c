"""The audit: every balance, round and pool is proved from the transfers up, a small slice at a time."""
