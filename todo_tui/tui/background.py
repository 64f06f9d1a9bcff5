"""Widgets without a picture, for work in the background of a screen."""

from textual.widget import Widget


class BackgroundWidget(Widget):
    """Widget that is never drawn: it has timers and workers, and posts messages to its parent."""

    DEFAULT_CSS = "BackgroundWidget { display: none; }"
