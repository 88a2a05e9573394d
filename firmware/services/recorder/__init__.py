"""The field recorder: a wheel's last coups as they were seen and decided, to be played again."""
