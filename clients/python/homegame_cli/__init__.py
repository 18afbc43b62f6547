"""The `homegame` command: one table of subcommands, each imported only when it is asked for."""
