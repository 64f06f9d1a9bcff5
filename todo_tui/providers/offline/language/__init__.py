"""Words and patterns: what a message is made of."""
