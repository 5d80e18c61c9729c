"""Runs the migrations for Alembic, on the connection and in the transaction that `data.migrate` has begun."""

from alembic import context

from data.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
