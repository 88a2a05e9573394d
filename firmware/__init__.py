"""The controller: decides the number (core), tells it (bus), keeps it (store)."""
