"""Every mistake in the file is shown with its line and its cure, and the rest holds."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from tests.config.home import Home
from todo_tui.config.settings import ApprovalMode, Flags, KeyStore
from todo_tui.domain.errors import ConfigError

posix = pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")


@pytest.mark.parametrize(
    ("toml", "line", "message", "cure"),
    [
        ('usr = "a"', 1, "`usr` is not a setting", "`user`"),
        ("retries = 3", 1, "`retries` is not a setting", "[limits]"),
        ('[limits]\nuser = "a"', 2, "`user` is not a setting", "above all tables"),
        ('api_key = "k"', 1, "`api_key` is not a setting", "under a provider"),
        ('now = "2026-11-18T14:30"', 1, "`now` is not a setting", "Settings here"),
        ('[groq]\nmodel = "m"', 1, "`groq` is not a setting", "[providers.groq]"),
        ('[provider.groq]\nmodel = "m"', 1, "`provider` is not a table", "[providers.groq]"),
        ('[providers.grok]\nmodel = "m"', 1, "Unknown provider `grok`", "`groq`"),
        ('[providers.mine]\nmodel = "m"', 1, "Unknown provider `mine`", "needs a `base_url`"),
        ('[providers.Groq]\nmodel = "m"', 1, "Unknown provider `Groq`", "`groq`"),
        ('[providers.box]\nmodel = "m"', 1, "`base_url`", "base_url = "),
        ('[providers.groq]\nbase-url = "http://x"', 2, "`base-url` is not a setting", "`base_url`"),
        ('[providers.groq]\nwire = "chat"', 2, "built in", "another name"),
        ("[providers.groq]\n[providers.groq.x]\ny = 1", 2, "`x` is not a setting", "Settings here"),
        ('[providers.box]\nbase_url = "http://x"\nwire = "soap"', 3, "`wire`", '"responses"'),
        ('[providers.box]\nbase_url = "http://x"\nneeds_key = "no"', 3, "`needs_key`", "false"),
        (
            '[providers.box]\nbase_url = "http://x"\nkey_variable = "sk-1"',
            3,
            "`key_variable`",
            "not",
        ),
        ("providers = 5", 1, "`providers` is not a table", "[providers]"),
        ("providers.groq = 5", 1, "`groq` is not a table", "[providers.groq]"),
        ("[[limits]]\nretries = 1", 1, "`limits` is not a table", "[limits]"),
        ("[limits]\nretries = 0", 2, "`retries`", "from 1 to"),
        ("[limits]\nretries = 1.5", 2, "`retries`", "whole"),
        ("[limits]\ndaily_budget_usd = -1", 2, "`daily_budget_usd`", "dollars"),
        ("[limits]\ndaily_budget_usd = nan", 2, "`daily_budget_usd`", "dollars"),
        ("[limits]\ncontext_tokens = 100_000_000", 2, "`context_tokens`", "to 10,000,000"),
        ("[limits]\nretry_seconds = 1e9", 2, "`retry_seconds`", "up to 10,000,000"),
        ("[limits]\nretry_seconds = inf", 2, "`retry_seconds`", "seconds"),
        (
            "timeout = 1\n[limits]\ntimeout = 2",
            1,
            "`timeout` is also set under [limits]",
            "one of the two",
        ),
        ("[providers.groq]\ntemperature = 2.1", 2, "`temperature`", "0 to 2"),
        ('[providers.groq]\neffort = "huge"', 2, "`effort`", '"medium"'),
        ("[providers.groq]\ntoken_command = []", 2, "`token_command`", "gcloud"),
        ('[providers.groq]\ntoken_command = "a \'b"', 2, "`token_command`", "gcloud"),
        ('[providers.groq]\napi_key = "a\\nb"', 2, "`api_key`", "Copy the complete key again"),
        ('[providers.groq]\napi_key = ""', 2, "`api_key`", "key"),
        ("[providers.groq]\napi_key = 5", 2, "`api_key`", "in quotes"),
        ('fallback = "gemini"', 1, "`fallback`", '["gemini"'),
        ('fallback = [\n  "gemini", # fine\n  "gemni",\n]', 1, "“gemni”", "gemini"),
        ('[roles]\ntitle = "gemni:pro"', 2, "“gemni:pro”", "gemini"),
        ('[roles]\ncompact = "offline"', 2, "not a language model", "Set a model"),
        ('[roles]\nembed = "ollama"', 2, "is not `provider:model`", "ollama:nomic-embed-text"),
        ('[roles]\nembed = "nomic-embed-text"', 2, "is not `provider:model`", "ollama:nomic"),
        ('[roles]\nembed = "offline:m"', 2, "no OpenAI-compatible embeddings", "ollama:nomic"),
        ('[knowledge]\nqdrant_url = "127.0.0.1"', 2, "`knowledge.qdrant_url`", "http"),
        ('[knowledge]\nqdrant_url = "http://example.com"', 2, "plain http://", "https://"),
        ('[roles]\ntalk = "groq"', 2, "`talk` is not a setting", "chat"),
        ('[keys]\nstore = "safe"', 2, "`store`", '"keyring"'),
        ('[dates]\nweek_start = "mon"', 2, "`week_start`", '"monday"'),
        ('provider = "skynet"', 1, "“skynet”", "Available"),
        ('user = "a\\u0007"', 1, "`user`", "printable text"),
        (f'user = "{"a" * 101}"', 1, "`user`", "printable text"),
    ],
)
def test_a_wrong_setting_is_reported_with_line_and_remedy(
    home: Home, toml: str, line: int, message: str, cure: str
) -> None:
    (problem,) = home.settings(None, f'theme = "dark"\n{toml}\n').problems
    assert problem.line == line + 1
    assert f"{home.file}: line {line + 1}: " in problem.message
    assert message in problem.message
    assert cure in problem.hint


@pytest.mark.parametrize(
    "toml",
    [
        "limits.retries = 0",
        'limits = {timeout = 1, "retries" = 0}',
        "[limits]\n'retries' = 0",
        "[ limits ] # retries = 9\n  retries=0",
        "[limits]\n# retries = 1\nretries = 0",
        'user = """\nretries = 0\n"""\nlimits."retries" = 0',
        '[limits]\n"re\\u0074ries" = 0',
        "[limits]\r\nretries = 0\r\n",
    ],
)
def test_the_line_is_right_however_it_is_written(home: Home, toml: str) -> None:
    problems = [each for each in home.settings(None, toml).problems if "retries" in each.message]
    at = [number for number, text in enumerate(toml.split("\n"), start=1) if "ries" in text][-1]
    assert [each.line for each in problems] == [at]


def test_every_wrong_setting_is_shown_in_file_order_and_the_rest_applies(home: Home) -> None:
    settings = home.settings(
        None,
        """\
user = "anna"
usr = 1
[dates]
order = "dmy"
week_start = "someday"
[providers.groq]
model = "m"
tokens = 3
""",
    )
    assert [problem.line for problem in settings.problems] == [2, 5, 8]
    assert settings.user == "anna"
    assert settings.dates.day_first
    assert settings.providers["groq"].model == "m"


def test_a_file_with_a_syntax_error_is_ignored_and_its_line_shown(home: Home) -> None:
    settings = home.settings(None, 'user = "anna"\ntheme = "dark\n[limits]\nretries = 2\n')
    (problem,) = settings.problems
    assert problem.line == 2
    assert "The file is ignored" in problem.message
    assert (settings.user, settings.limits.retries) == ("me", 4)


def test_a_syntax_error_does_not_move_the_tasks_elsewhere(home: Home) -> None:
    toml = 'db = "mine.db"\nuser = "anna"\ntheme = "dark\n'
    with pytest.raises(ConfigError, match="sets the database of your tasks"):
        home.settings(None, toml)
    assert home.settings(Flags(db="other.db"), toml).db.name == "other.db"


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("user = 'a'\nuser = 'b'", "line 2: Invalid TOML: Cannot overwrite a value."),
        ("user = 'a'\nb = x\n", "line 2: Invalid TOML: Invalid value."),
        ('a = "x', "line 1: Invalid TOML: Unterminated string."),
        ("a = [[" * 3000, "Invalid TOML"),
        (b"\xff\xfea\x00", "UTF-16"),
        (b"# \xff", "not UTF-8"),
        (b"x" * 1_000_001, "too large"),
        ("= 1\n" * 60, "line 1"),
    ],
)
def test_what_is_no_toml_is_reported_with_its_line(
    home: Home, toml: str | bytes, words: str
) -> None:
    assert words in home.problem_texts(toml)


def test_a_mistake_never_repeats_what_may_be_a_key(home: Home) -> None:
    for toml in (
        '[providers.groq]\napi_key = "gsk_secret key"',
        '[providers.groq]\napi_key = "gsk_secret',
        "[providers.groq]\napi_key = gsk_secret",
        '[providers.groq]\nkey_variable = "gsk_secret"',
        '[providers.box]\nbase_url = "http://x"\nkey_variable = "gsk-secret"',
        '[providers.groq]\nmodel = "x"\nmodel = "gsk_secret"',
        '[providers.groq]\ntoken_command = "\'gsk_secret"',
        '[providers.groq]\nbase_url = "https://me:gsk_secret@example.com"',
    ):
        problems = home.problem_texts(toml)
        assert problems
        assert "secret" not in problems


@posix
def test_a_key_that_others_can_read_is_reported_with_the_remedy(home: Home) -> None:
    toml = '[providers.groq]\napi_key = "gsk_key"'
    assert home.problem_texts(toml) == ""
    for mode in (0o644, 0o640, 0o604):
        home.file.chmod(mode)
        (problem,) = home.settings().problems
        assert "Other users can read this file" in problem.message
        assert problem.hint == f"Run: chmod 600 {home.file}"
    home.write('provider = "groq"')
    home.file.chmod(0o644)
    assert home.settings().problems == ()


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root changes user")
def test_a_file_that_cannot_be_read_is_reported(home: Home) -> None:
    home.write('user = "anna"')
    home.file.chmod(0)
    home.folder.chmod(0o755)
    os.seteuid(65534)
    try:
        settings = home.settings()
    finally:
        os.seteuid(0)
    (problem,) = settings.problems
    assert "Permission denied" in problem.message
    assert settings.user == "me"


@posix
def test_a_pipe_is_read_to_its_end(home: Home) -> None:
    os.mkfifo(home.file)
    writing = threading.Thread(target=home.file.write_bytes, args=[b'user = "anna"'])
    writing.start()
    settings = home.settings()
    writing.join()
    assert settings.user == "anna"
    assert settings.problems == ()


@pytest.mark.parametrize(
    ("toml", "asking"),
    [
        ("", ApprovalMode.RISKY),
        ('[approvals]\nask = "never"', ApprovalMode.NEVER),
        ('[approvals]\nask = "Always"', ApprovalMode.ALWAYS),
        ('[approvals]\nask = "alway"', ApprovalMode.WRITES),
        ("[approvals]\nask = always", ApprovalMode.WRITES),
        ('ask = "always"', ApprovalMode.WRITES),
        ("[limits]\nmore_than = 2", ApprovalMode.WRITES),
        ('[approval]\nask = "always"', ApprovalMode.WRITES),
        ('[Approvals]\nask = "always"', ApprovalMode.WRITES),
        ('[limits]\nretries = 0\n[rules]\nask = "always"', ApprovalMode.RISKY),
        ('[approvals]\nask = "never"\n[limits]\nretries = 0', ApprovalMode.NEVER),
        ('[approvals]\naks = "always"', ApprovalMode.WRITES),
        ('approvals = "always"', ApprovalMode.WRITES),
        ('[approvals]\ntools = "delete_task"', ApprovalMode.WRITES),
        ('[approvals]\nmore_than = "5"', ApprovalMode.WRITES),
        ('[approvals\nask = "always"', ApprovalMode.WRITES),
        ('[approvals]\nask = "always"\nmore_than = -1', ApprovalMode.ALWAYS),
    ],
)
def test_a_mistake_among_the_approvals_makes_it_ask(
    home: Home, toml: str, asking: ApprovalMode
) -> None:
    settings = home.settings(None, toml)
    assert settings.approvals.ask is asking
    told = ["every change needs approval" in problem.hint for problem in settings.problems]
    assert any(told) == (asking is ApprovalMode.WRITES)


def test_approvals_and_limits_are_read(home: Home) -> None:
    settings = home.settings(
        None,
        """
        max_iterations = 3
        [limits]
        daily_budget_usd = 2
        context_tokens = 1000
        retries = 2
        retry_seconds = 5
        context_messages = 7
        timeout = 4
        [approvals]
        ask = "writes"
        tools = ["delete_task", " undo "]
        more_than = 0
        [keys]
        store = "keyring"
        """,
    )
    assert settings.problems == ()
    assert (
        settings.limits.max_iterations,
        settings.limits.context_messages,
        settings.limits.timeout,
    ) == (3, 7, 4)
    assert (settings.limits.daily_budget_usd, settings.limits.context_tokens) == (2.0, 1000)
    assert (settings.limits.retries, settings.limits.retry_seconds) == (2, 5.0)
    assert settings.approvals.tools == ("delete_task", "undo")
    assert settings.approvals.more_than == 0
    assert settings.keys.store is KeyStore.KEYRING
