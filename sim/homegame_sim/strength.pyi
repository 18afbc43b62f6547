"""The compiled module `strength` has no Python face; what it says of a hand is asked through `yardstick`. See strength.pxd."""
