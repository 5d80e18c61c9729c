"""Runs the migrations for Alembic, on the connection and in the transaction of `data.migrations.migrate`."""

from alembic import context

from data.base.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
