"""The days of members, and the boards of the seasons that follow from them."""
