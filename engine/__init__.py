"""The casino without Discord and without SQL: games, fairness, tables."""
