"""Updates on a real kernel: a card in a file, a machine that boots its slots, power cuts.

Real: the kernel, its block devices, dm-verity, squashfs, FAT and ext4; RAUC, its service and D-Bus;
everything of firmware/services/update. Simulated: the card is a file of the host, which a power cut
leaves with whatever the kernel had written to it; the firmware and U-Boot are firmware.py.
"""
