"""The first tables: chips, tables and rounds, members and servers, jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "causes",
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("cause"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "forgotten",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("guild", "fingerprint"),
    )
    op.create_table(
        "guilds",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("house", sa.Text(), server_default="{}", nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("channels", sa.Text(), server_default="[]", nullable=False),
        sa.Column("zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("account_days", sa.Integer(), server_default="0", nullable=False),
        sa.Column("server_days", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "jobs",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("claimed_until", sa.Double(), nullable=True),
        sa.Column("done_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index(
        "jobs_due",
        "jobs",
        ["due"],
        unique=False,
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("balance", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("winnings", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("rounds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("won", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rate", sa.Integer(), nullable=True),
        sa.Column("daily_at", sa.Double(), nullable=True),
        sa.Column("streak", sa.Integer(), server_default="0", nullable=False),
        sa.Column("helped_at", sa.Double(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("warnings", sa.Integer(), server_default="1", nullable=False),
        sa.Column("phrase", sa.Text(), server_default="", nullable=False),
        sa.Column("counted_balance", sa.BigInteger(), nullable=True),
        sa.Column("counted_winnings", sa.BigInteger(), nullable=True),
        sa.Column("counted_rate", sa.BigInteger(), nullable=True),
        sa.Column("stale", sa.Integer(), server_default="1", nullable=False),
        sa.CheckConstraint("balance >= 0", name="never_in_debt"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("guild", "user_id"),
    )
    op.create_index(
        "members_by_balance",
        "members",
        ["guild", sa.literal_column("balance DESC"), "id"],
        unique=False,
        sqlite_where=sa.text("user_id IS NOT NULL"),
        postgresql_where=sa.text("user_id IS NOT NULL"),
    )
    op.create_index(
        "members_by_rate",
        "members",
        ["guild", sa.literal_column("rate DESC"), "id"],
        unique=False,
        sqlite_where=sa.text("user_id IS NOT NULL AND rate IS NOT NULL"),
        postgresql_where=sa.text("user_id IS NOT NULL AND rate IS NOT NULL"),
    )
    op.create_index(
        "members_by_winnings",
        "members",
        ["guild", sa.literal_column("winnings DESC"), "id"],
        unique=False,
        sqlite_where=sa.text("user_id IS NOT NULL AND rounds > 0"),
        postgresql_where=sa.text("user_id IS NOT NULL AND rounds > 0"),
    )
    op.create_index(
        "members_stale",
        "members",
        ["guild"],
        unique=False,
        sqlite_where=sa.text("stale = 1"),
        postgresql_where=sa.text("stale = 1"),
    )
    op.create_table(
        "pots",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("closed", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("balance >= 0", name="never_in_debt"),
        sa.PrimaryKeyConstraint("guild", "name"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "pots_live",
        "pots",
        ["guild"],
        unique=False,
        sqlite_where=sa.text("closed = 0 AND balance > 0"),
        postgresql_where=sa.text("closed = 0 AND balance > 0"),
    )
    op.create_table(
        "rule_sets",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild", "game", "name"),
    )
    op.create_table(
        "stops",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("doc", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("open", sa.Integer(), nullable=False),
        sa.Column("deadline", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "tables_open",
        "tables",
        ["guild"],
        unique=False,
        sqlite_where=sa.text("open = 1"),
        postgresql_where=sa.text("open = 1"),
    )
    op.create_table(
        "tallies",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ladder", sa.Text(), nullable=False),
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stretch", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("people", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild", "ladder", "level", "stretch"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "transfers",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.CheckConstraint("amount > 0", name="moves_something"),
        sa.CheckConstraint("source <> target", name="moves_somewhere"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index(
        "transfers_gifts",
        "transfers",
        ["guild", "source", "at"],
        unique=False,
        sqlite_where=sa.text("reason = 'gift'"),
        postgresql_where=sa.text("reason = 'gift'"),
    )
    op.create_index("transfers_source", "transfers", ["guild", "source"], unique=False)
    op.create_index("transfers_target", "transfers", ["guild", "target", "source"], unique=False)
    op.create_table(
        "rounds",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("scheme", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("rules_name", sa.Text(), nullable=True),
        sa.Column("rules", sa.Text(), nullable=True),
        sa.Column("stakes", sa.Text(), nullable=True),
        sa.Column("members", sa.Text(), nullable=True),
        sa.Column("inputs", sa.Text(), nullable=True),
        sa.Column("dealt_at", sa.Double(), nullable=True),
        sa.Column("lines", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "number"),
    )
    op.create_index("rounds_code", "rounds", ["guild", "code"], unique=False)
    op.create_table(
        "plays",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("member", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("staked", sa.BigInteger(), nullable=False),
        sa.Column("returned", sa.BigInteger(), nullable=False),
        sa.Column("real", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["member"],
            ["members.id"],
        ),
        sa.ForeignKeyConstraint(
            ["table_id", "number"],
            ["rounds.table_id", "rounds.number"],
        ),
        sa.PrimaryKeyConstraint("table_id", "number", "member"),
    )
    op.create_index("plays_member", "plays", ["member", sa.literal_column("at DESC")], unique=False)
    op.create_table(
        "steps",
        sa.Column("table_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "number"],
            ["rounds.table_id", "rounds.number"],
        ),
        sa.PrimaryKeyConstraint("table_id", "number", "place"),
        sqlite_with_rowid=False,
    )
