"""Sets: the same deals for several people. Days, tries, boards and streaks."""
