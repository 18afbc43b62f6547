"""A person's side of a table: the seat, the picture, the keys. Shows what the server says and knows no rule of poker."""
