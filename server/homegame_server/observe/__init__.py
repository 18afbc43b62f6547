"""What an operator sees of the server from outside."""
