"""Looks at everything a hosted bot depends on, and says of what is wrong how to mend it."""
