"""An image of a card that is quickly made: it takes a first configuration, and starts nothing."""

import subprocess
from pathlib import Path

from firmware.lib import partitions
from tools.image import blockmap

MIB = 1 << 20


def with_firmware(image: Path) -> Path:
    """Lays the partition that takes a first configuration into an image, and maps that alone."""
    place = partitions.partition("firmware")
    part = image.with_name("part")
    subprocess.run(
        ["mkfs.fat", "-C", str(part), str(place.size_mib * 1024)], check=True, capture_output=True
    )
    with image.open("r+b") as file:
        file.seek(place.start_mib * MIB)
        file.write(part.read_bytes())
    part.unlink()
    regions = [(0, 4096), (place.start_mib * MIB, place.size_mib * MIB)]
    blockmap.path_of(image).write_text(blockmap.text(blockmap.of_image(image, regions)))
    return image
