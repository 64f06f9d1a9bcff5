"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no bug: no test is judged by its time.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
