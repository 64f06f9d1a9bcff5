"""What holds for every test."""

from __future__ import annotations

import gc

from hypothesis import settings

# Apps and stores by the thousand come and go: to look for cycles less often is quicker.
gc.set_threshold(50_000, 20, 50)

# A busy machine is no bug: no test is judged by its time.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
