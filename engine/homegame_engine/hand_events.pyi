"""The compiled module `hand_events` has no names for Python; its cores are in hand_events.pxd."""
