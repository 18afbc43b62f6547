"""A screen that is laid out for the size which the terminal has, and for no other."""

from textual.geometry import Size
from textual.screen import Screen, ScreenResultType


class SizedScreen(Screen[ScreenResultType]):
    """What every screen of the player is.

    Textual sends a screen each size that the terminal has had, and for each the screen sends itself the size anew. Two sizes that
    meet while the first picture is made (a window is moved into its place, a terminal is closed) so follow each other for ever,
    and the program does nothing else any more.
    """

    def _screen_resized(self, size: Size) -> None:
        if size == self.app.size:
            super()._screen_resized(size)
