"""The compiled module `hand_encoding` has no names for Python; its cores are in hand_encoding.pxd."""
