"""Variables for certificates and proxies that cannot be used."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.rows import each_row
from todo_tui.config.network_variables import find_all_problems, find_network_problems


def problems(environ: dict[str, str]) -> list[str]:
    return [f"{each.message} {each.hint}" for each in find_all_problems(environ)]


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"])
def test_missing_and_empty_certificates_are_named(tmp_path: Path, name: str) -> None:
    empty, folder = tmp_path / "empty.pem", tmp_path / "certs"
    empty.touch()
    folder.mkdir()
    missing = str(tmp_path / "none.pem")
    assert problems({name: missing}) == [
        f"{name} names {missing}, which does not exist. Correct or unset {name}."
    ]
    for path in (empty, folder):
        assert problems({name: str(path)}) == [
            f"{name} names {path}, which has no certificates. Correct or unset {name}."
        ]
    assert problems({name: ""}) == []


def test_certificates_are_accepted(tmp_path: Path) -> None:
    file, folder = tmp_path / "ca.pem", tmp_path / "certs"
    file.write_text("# mine\n-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n")
    folder.mkdir()
    (folder / "9d66eef0.0").write_bytes(file.read_bytes())
    for environ in (
        {"SSL_CERT_FILE": str(file)},
        {"SSL_CERT_DIR": f"{tmp_path / 'none'}:{folder}"},
        # The clients read the folder only without the file.
        {"SSL_CERT_FILE": str(file), "SSL_CERT_DIR": "/nowhere"},
        {"REQUESTS_CA_BUNDLE": str(folder)},
    ):
        assert problems(environ) == []


@each_row(
    ("value", "reason"),
    [
        ("ftp://proxy:3128", "begins with ftp://, which is not a proxy."),
        ("socks://proxy:3128", "begins with socks://, which is not a proxy."),
        ("http://me:secret@proxy:port", "names a proxy with an invalid port or address."),
        ("http://proxy:99999", "names a proxy with an invalid port or address."),
        ("http://", "names a proxy without a host."),
        (":3128", "names a proxy without a host."),
        ("http://proxy:3128", None),
        ("https://me:secret@proxy", None),
        ("proxy.example:3128", None),
        ("[::1]:3128", None),
    ],
)
@each_row("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"])
def test_a_bad_proxy_is_named_without_its_password(
    name: str, value: str, reason: str | None
) -> None:
    found = problems({name: value})
    assert "secret" not in "".join(found)
    assert [each.startswith(f"{name} {reason}") for each in found] == ([True] if reason else [])
    assert problems({name: value, "NO_PROXY": "*"}) == []


@pytest.mark.skipif(find_spec("socksio") is not None, reason="then such a proxy can be used")
def test_a_socks_proxy_without_its_package_is_named() -> None:
    (found,) = find_network_problems({"ALL_PROXY": "socks5://proxy:1080"})
    assert found.message.startswith("ALL_PROXY names a SOCKS proxy")
    assert "pip install socksio" in found.hint
