"""Each wire format as its servers speak it, and the rules that they judge requests by."""
