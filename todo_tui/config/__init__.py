"""Settings from flags, environment and config.toml. Start with settings.py, then load.py."""
