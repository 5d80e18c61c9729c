"""/privacy: the data stored about a member, to be exported or forgotten."""
