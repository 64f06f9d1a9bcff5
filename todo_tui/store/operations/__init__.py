"""The operation log, undo and redo, purging. Start with oplog.py."""
