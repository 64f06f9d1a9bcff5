"""What tests of the settings share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.config.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
