"""What a user's own words say of themselves, before and beside what is understood of them."""
