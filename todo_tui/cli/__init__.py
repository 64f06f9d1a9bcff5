"""The composition root: parse, open, wire, run."""
