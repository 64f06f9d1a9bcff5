"""Task editor: all fields of one task. Start with screen.py."""
