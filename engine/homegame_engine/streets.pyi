"""The compiled module `streets` has no names for Python; its cores are in streets.pxd."""
