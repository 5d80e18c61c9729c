"""Tools for the operator: logs, metrics, health checks, and stopping in good order."""
