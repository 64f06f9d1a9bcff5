"""Import of Groq's HTTP stack while others are in use."""

from __future__ import annotations

import subprocess
import sys

# What the openai SDK asks of httpx on each answer, while groq is imported in a thread.
_SCRIPT = """
import threading
from todo_tui.domain.secret import Secret
from todo_tui.config.settings import ProviderSettings
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import provider_row

def open_row(row_id):
    open_provider(provider_row(row_id), ProviderSettings(key=Secret("gsk_0123456789")))

open_row("openai")
from openai import _httpx2

faults, looks = [], 0
opening = threading.Thread(target=open_row, args=["groq"])
opening.start()
while opening.is_alive():
    looks += 1
    try:
        _httpx2.http_response_types(), _httpx2.request_exceptions(), _httpx2.timeout_exceptions()
    except AttributeError as error:
        faults.append(str(error))
import httpx, httpx2
print(looks > 100, faults[:1], httpx.Response is httpx2.Response)
"""


def test_a_turn_is_not_broken_by_the_import_of_the_other_stack() -> None:
    ran = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True)
    assert ran.stdout.strip() == "True [] False", ran.stderr
