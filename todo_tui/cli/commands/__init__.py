"""One module per family of commands; a module is imported when its command runs."""
