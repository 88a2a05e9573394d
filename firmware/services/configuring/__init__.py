"""Checking, showing and applying a wheel's configuration, and going back by itself."""
