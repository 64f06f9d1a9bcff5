"""A server of embeddings on the loopback, whose vectors follow from the words alone.

Words are cut to their first five letters; those of one line of `_SYNONYMS` count as the same.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.knowledge.content_words import STOP_WORDS
from todo_tui.knowledge.vectors import VectorIndex, VectorStorage
from todo_tui.providers.embeddings import EmbeddingClient
from todo_tui.providers.registry import provider_row
from todo_tui.providers.server import anywhere
from todo_tui.store.store import Store

_SYNONYMS = """
cash money deposit euros
puppy dog dogs cat cats pet pets
cutlery plates dishes
fault error code
puddle leaked water
yeast culture sourdough starter
temperature degrees
stove oven
approved voted
celebration party
laptop electronics
thief burglary stolen
teenage drivers
vehicle car
plane flight
depart leaves
sweet pastries cake dessert
physician doctor
supplement vitamin
smartphone mobile phone phones
singers choir
stop brake brakes
lubrication oil
suckers shoots
wifi router network wireless
friends guests visitors
store keep
penalty costs
sick doctor's note
freeze pause
bubbling gurgles
fuel oil tank
concert recital
purchase buy bought
metro underground
amount dosage ml
kid children child
wine alcohol
yarn wool merino
pullover sweater
throat neck
competitors player
trial free
poisonous chocolate
truck van
erase deletes format
savings pension
widow spouse
fainted unconscious
scalded burns
hut sheds shed
bowel stomach
odour smells
rodents rats
meeting interview
limescale descaler descaling
cleaner person
terminate ended
heavens sky
exchange swap
rota shift shifts
"""
_LENGTH = 512


def _group_of_words() -> dict[str, str]:
    groups: dict[str, str] = {}
    for line in _SYNONYMS.split("\n"):
        words = [word[:5] for word in line.split()]
        for word in words:
            groups.setdefault(word, words[0])
    return groups


_GROUPS = _group_of_words()


def vector_of(text: str, length: int = _LENGTH) -> list[float]:
    """Return a bag of words, each hashed to one number, of length one."""
    vector = [0.0] * length
    for word in re.findall(r"[a-z']+", text.lower()):
        if word not in STOP_WORDS:
            group = _GROUPS.get(word[:5], word[:5])
            place = int.from_bytes(hashlib.sha256(group.encode()).digest()[:4]) % length
            vector[place] += 1.0
    norm = math.hypot(*vector) or 1.0
    return [each / norm for each in vector]


@dataclass
class EmbeddingServer:
    """Answers `/v1/embeddings`; `answer` and `status` replace what it sends."""

    url: str = ""
    texts: list[str] = field(default_factory=list)
    """Texts that were sent."""
    keys: list[str | None] = field(default_factory=list)
    """`Authorization` of each request."""
    length: int = _LENGTH
    status: int = 200
    answer: object = None
    delay: float = 0.0
    sizes: list[int] = field(default_factory=list)
    """Numbers of texts in the requests."""
    most_texts: int | None = None
    """Texts in a request up to which it answers before the client has given up."""

    def respond(self, body: dict[str, Any]) -> object:
        """Return the answer to a request."""
        self.texts += body["input"]
        self.sizes.append(len(body["input"]))
        if self.most_texts is not None and len(body["input"]) > self.most_texts:
            time.sleep(4.0)
        time.sleep(self.delay)
        if self.answer is not None:
            return self.answer
        data = [
            {"object": "embedding", "index": at, "embedding": vector_of(text, self.length)}
            for at, text in enumerate(body["input"])
        ]
        return {"object": "list", "model": body["model"], "data": data[::-1]}

    def index(
        self,
        store: Store,
        model: str = "test",
        storage: VectorStorage | None = None,
        seconds: float = 60.0,
    ) -> VectorIndex:
        """Return the index of a store with vectors from here; a search may take that long."""
        found = provider_row("local"), ProviderSettings(base_url=f"{self.url}/v1", model=model)
        client = EmbeddingClient(f"local:{model}", lambda: found, anywhere)
        return VectorIndex(store, client, storage, seconds)


@contextmanager
def embedding_server() -> Iterator[EmbeddingServer]:
    """Serve on a free port of the loopback."""
    served = EmbeddingServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/embeddings"
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.keys.append(self.headers["Authorization"])
            sent = json.dumps(served.respond(body)).encode()
            try:
                self.send_response(served.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)
            except ConnectionError:
                pass  # the client did not wait

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        served.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
