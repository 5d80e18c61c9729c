"""`/casino`: settings, rules, chips and audits for those who manage the server."""
