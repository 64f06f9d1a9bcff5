"""Tasks: reads, writes, filters as SQL. Start with repository.py, then unit_of_work.py."""
