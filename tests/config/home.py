"""A machine with a folder for everything, and rows of providers, for tests of the settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from todo_tui.config.load import Configuration, load_settings, read_configuration
from todo_tui.config.machine import Machine
from todo_tui.config.paths import Paths
from todo_tui.config.provider_row import ProviderRow, Wire
from todo_tui.config.settings import Flags, Settings
from todo_tui.domain.when import DateStyle


def _row(
    provider_id: str,
    base_url: str = "",
    key_variables: tuple[str, ...] = (),
    default_model: str = "",
    token_variables: tuple[str, ...] = (),
    model_patterns: tuple[str, ...] = (),
) -> ProviderRow:
    """What settings need to know of a provider."""
    return ProviderRow(
        provider_id,
        provider_id,
        Wire.CHAT,
        base_url,
        key_variables=key_variables,
        default_model=default_model,
        token_variables=token_variables,
        model_patterns=model_patterns,
    )


ROWS = (
    _row("offline"),
    _row(
        "groq",
        "https://api.groq.com",
        ("GROQ_API_KEY",),
        "gpt-oss",
        model_patterns=("openai/gpt-oss", "shared-"),
    ),
    _row(
        "gemini",
        "https://gemini.example/v1",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "flash",
        model_patterns=("gemini-", "shared-"),
    ),
    _row("gemini-native", "https://gemini.example", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "flash"),
    _row(
        "anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        "claude",
        token_variables=("ANTHROPIC_AUTH_TOKEN",),
        model_patterns=("claude-",),
    ),
    _row("ollama", "http://127.0.0.1:11434/v1"),
)


@dataclass(frozen=True)
class Home:
    """A machine whose files all lie in one folder."""

    folder: Path

    @property
    def file(self) -> Path:
        """The configuration file."""
        return self.folder / "config.toml"

    @property
    def machine(self) -> Machine:
        return Machine("Europe/Berlin", DateStyle(), Paths(*[self.folder] * 4))

    def write(self, toml: str | bytes) -> None:
        """Write the configuration file, for its owner alone."""
        self.file.write_bytes(toml.encode() if isinstance(toml, str) else toml)
        self.file.chmod(0o600)

    def settings(
        self, flags: Flags | None = None, toml: str | bytes | None = None, /, **environ: str
    ) -> Settings:
        """What holds with these flags, this file and these variables."""
        if toml is not None:
            self.write(toml)
        return load_settings(flags or Flags(), environ, ROWS, self.machine)

    def configuration(
        self, flags: Flags | None = None, toml: str | bytes | None = None, /, **environ: str
    ) -> Configuration:
        """The same, with what explains it."""
        if toml is not None:
            self.write(toml)
        return read_configuration(flags or Flags(), environ, ROWS, self.machine)

    def problem_texts(self, toml: str | bytes, /, **environ: str) -> str:
        """All problems that a file leads to, with their cures."""
        problems = self.settings(None, toml, **environ).problems
        return "\n".join(f"{problem.message} {problem.hint}" for problem in problems)
