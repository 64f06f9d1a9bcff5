"""The grammar of the words people use for days, times and repeats."""
