"""What every program shares: errors, durable files, paths, processes, the web."""
