# Nothing for Python: `odds` and `frequencies` walk deals with the cores of this module.
