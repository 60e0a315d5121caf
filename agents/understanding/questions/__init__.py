"""What only asks: answers from what is stored, with exact titles, counts and times."""
