"""What makes a result durable (CPython)."""
