"""Hands as text: case files, PHH hand histories, histories to read, JSON lines. Pure: text in, text out, no files."""
