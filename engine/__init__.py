"""The casino without Discord and without a database: games, tables, tournaments, fair shuffles, the solver."""
