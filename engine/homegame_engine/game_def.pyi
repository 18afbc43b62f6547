"""The compiled module `game_def` has no names for Python; its cores are in game_def.pxd."""
