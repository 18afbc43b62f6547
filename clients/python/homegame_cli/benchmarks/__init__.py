"""What `homegame bench` measures: each benchmark is a generator of figures, listed by name in `catalogue`."""
