"""Updates: signed bundles, two slots, one try of the new one, kept when it has proved itself."""
