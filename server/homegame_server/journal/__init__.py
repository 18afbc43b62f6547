"""The journal: the truth about every night, in one of several stores."""
