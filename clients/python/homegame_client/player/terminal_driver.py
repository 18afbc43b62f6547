"""Keys and picture on a terminal, begun and stopped in step whenever the program is continued.

Textual begins anew at every SIGCONT. A program that was not put away before (SIGSTOP, a closed terminal, `kill -CONT`) would read
its keys twice; one whose picture is over would read them for ever, with a thread that nobody stops.
"""

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """The terminal of a program that may be stopped and continued at any moment."""

    _is_on = False

    def start_application_mode(self) -> None:
        """See LinuxDriver."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._is_on = True

    def stop_application_mode(self) -> None:
        """See LinuxDriver."""
        self._is_on = False
        super().stop_application_mode()

    def _sigcont_application(self, *_: object) -> None:
        if self._is_on:
            self.suspend_application_mode()  # The shell may have changed the terminal while the program stood still.
        elif not self._must_signal_resume:
            return  # The picture is over, or has not begun.
        super()._sigcont_application()
