#!/usr/bin/env bash
# Builds the kernel of the rig from Debian's package linux-source-6.12, and the libraries of a Pi.
# usage: build.sh PYTHON DIR   leaves DIR/linux, DIR/pi4.dtb and DIR/site; minutes and 2 GB of /tmp
# Root only to install what is missing of Debian's packages.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$(realpath -s "${1:?usage: build.sh PYTHON DIR}")
dir=$(realpath -m "${2:?usage: build.sh PYTHON DIR}")
source=linux-source-6.12

packages=()
for package in gcc make flex bison bc libc6-dev xz-utils patch; do
    dpkg -s "$package" >/dev/null 2>&1 || packages+=("$package")
done
if [ ${#packages[@]} != 0 ]; then
    [ "$(id -u)" = 0 ] || { echo "Missing: ${packages[*]}. Install them, as root." >&2; exit 1; }
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        "${packages[@]}" >&2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .
apt-get download -q "$source" >&2 || { apt-get -qq update >&2; apt-get download -q "$source" >&2; }
dpkg-deb --fsys-tarfile "$source"_*.deb \
    | tar xO --wildcards './usr/src/linux-source-*.tar.xz' | xz -dc -T2 | tar x
cd "$source"
patch -p1 -s <"$here/linux.patch"
cp "$here/i2c-wheel.c" drivers/i2c/
make -s ARCH=um O="$work/o" KCONFIG_ALLCONFIG="$here/uml.config" allnoconfig >/dev/null
while read -r wanted; do
    grep -qx "$wanted" "$work/o/.config" || { echo "The kernel lacks $wanted." >&2; exit 1; }
done <"$here/uml.config"
make -s ARCH=um O="$work/o" -j"$(nproc)" linux >"$work/log" 2>&1 \
    || { tail -20 "$work/log" >&2; exit 1; }
"$work/o/scripts/dtc/dtc" -q -O dtb -o "$work/pi4.dtb" "$here/pi4.dts"
# What a Pi has besides what .venv has: in a folder of its own, for off a Pi it is of no use.
"$python" -m pip install -qq --disable-pip-version-check --no-deps --require-hashes \
    --only-binary :all: --target "$work/site" -r "$here/requirements.txt"
mkdir -p "$dir"
cp -r "$work/o/linux" "$work/pi4.dtb" "$work/site" "$dir/"
