"""One file a subcommand of `cylindre`."""
