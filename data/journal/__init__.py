"""Tables, rounds and chains of seeds: how they are written and read back."""
