# Nothing for Python: `odds` and `frequencies` look pairs up with the cores of this module.
