"""How the faults of the catalogue are made: one file a layer, as in tools/hil/catalogue."""
