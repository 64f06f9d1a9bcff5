"""Messages that go on from the turn before: corrections, additions to it, taking it back."""
