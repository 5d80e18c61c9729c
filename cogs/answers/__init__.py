"""How every answer is given: in time, in words, and to the one who asked."""
