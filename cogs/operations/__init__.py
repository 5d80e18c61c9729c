"""Operation of the process: logs, metrics, health checks, sign-in of shards, garbage collection, and stopping."""
