"""/today: five hands a day, the same for everybody, scored by decisions."""
