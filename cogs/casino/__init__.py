"""`/casino`: for those who manage the server."""
