"""What changes something: each file carries out one family of requests as proposals."""
