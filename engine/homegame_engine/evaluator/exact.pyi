# Nothing for Python: `ranking` calls the cores of this module.
