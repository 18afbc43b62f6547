"""The compiled module `agreement` has no names for Python; its cores are in agreement.pxd."""
