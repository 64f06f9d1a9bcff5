"""One file a wire format, and the registry of providers."""
