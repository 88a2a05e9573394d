"""The call, the journal and events in words."""
