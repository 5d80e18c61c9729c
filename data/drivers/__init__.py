"""The access to SQLite and PostgreSQL: connections, statements, batches, and watching what they depend on."""
