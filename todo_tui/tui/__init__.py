"""The terminal app: shows what it is given, says what was pressed."""
