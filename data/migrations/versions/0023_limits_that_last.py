"""Limits belong to fingerprints of people, as breaks do, and are bound in the house's book.

A rise is dropped, even one whose time has come, because nothing says when it was asked for. Its owner has to ask again.
"""

import hashlib
import hmac
import secrets

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_KEY = sa.table("keys", sa.column("name", sa.Text), sa.column("value", sa.LargeBinary))


def upgrade() -> None:
    op.add_column("leaves", sa.Column("limits", sa.Integer(), server_default="0", nullable=False))
    bank = op.get_bind()
    kept = bank.execute(sa.text("SELECT user_id, kind, most FROM limits ORDER BY user_id, kind")).all()
    op.drop_table("limits")
    limits = op.create_table(
        "limits",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("most", sa.BigInteger(), nullable=True),
        sa.Column("later", sa.BigInteger(), nullable=True),
        sa.Column("later_at", sa.Double(), nullable=True),
        sa.Column("leaf", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("limits_fingerprint", "limits", ["fingerprint", "kind", "id"], unique=False)
    op.create_index("limits_leaf", "limits", ["leaf"], unique=False)
    known = sa.text("user_id IS NOT NULL")
    columns = ["user_id", "kind", "id"]
    op.create_index("limits_user", "limits", columns, unique=False, sqlite_where=known, postgresql_where=known)
    if kept:
        key = _key(bank)
        rows = [
            {"fingerprint": _fingerprint(key, row.user_id), "at": 0.0, **row._mapping}
            for row in kept
            if row.most is not None
        ]
        op.bulk_insert(limits, rows)


def _key(bank: sa.Connection) -> bytes:
    """Return the key of all fingerprints; make and store it if there is none."""
    found = bank.execute(sa.select(_KEY.c.value).where(_KEY.c.name == "fingerprint")).scalar()
    if found is None:
        found = secrets.token_bytes(32)
        bank.execute(sa.insert(_KEY).values(name="fingerprint", value=found))
    return bytes(found)


def _fingerprint(key: bytes, user: int) -> str:
    return hmac.new(key, f"house/{user}".encode(), hashlib.sha256).hexdigest()
