"""Operation of the process: logs, metrics, health checks, turns to sign in, and stopping in good order."""
