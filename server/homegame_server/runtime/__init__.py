"""One task a night: takes inputs in order, makes them durable, publishes what happened. Knows no transport."""
