"""What the managers of a server may do: its settings, its rule sets."""
