"""Who calls, and what they may do: tokens, roles, and one table of permissions."""
