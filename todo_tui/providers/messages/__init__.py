"""The Messages format of Anthropic, which other servers speak too."""
