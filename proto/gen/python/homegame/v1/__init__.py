"""Generated from proto/homegame/v1 by proto/generate.py. Do not edit."""
