"""A coup from its beginning to its record: states, table, verdict, people."""
