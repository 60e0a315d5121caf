"""What goes on beside new requests: answers, picks, corrections and talk."""
