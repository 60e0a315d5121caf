"""What is stored, found by what is said of it: words, days and names lead to records without a walk through all."""
