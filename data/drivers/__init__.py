"""How a bank is reached: SQLite or PostgreSQL, statements, and what they stand on."""
