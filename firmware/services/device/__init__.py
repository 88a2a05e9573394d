"""The wheel as an appliance: what systemd is told, the package, whether it is as it was made."""
