"""Which stored things are meant: by name, place, time, number or as one of a series; one, none or many."""
