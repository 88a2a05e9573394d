"""The entries of the fault catalogue, one file a layer."""
