"""A table in a terminal: sentences for events, a picture for a view, a sheet for the end. Text comes out, no rule goes in."""
