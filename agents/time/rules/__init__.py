"""The rules of the grammar of time, a file for each kind of words."""
