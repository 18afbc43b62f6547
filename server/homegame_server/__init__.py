"""The game server: gRPC services, one task a night, and the journal beneath them."""
