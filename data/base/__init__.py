"""The foundation of the bank: tables of the database, values, exceptions, names of accounts."""
