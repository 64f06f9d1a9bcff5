"""What can be set, where it was set, and what the machine itself says."""
