#!/bin/sh
# First process of the guest. The host's files, read-only; /run is memory; HIL_OUT is the only folder
# whose changes reach the host. Runs HIL_OUT/job.sh and leaves its status in HIL_OUT/status.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb HOME=/run
export PYTHONDONTWRITEBYTECODE=1
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t configfs configfs /sys/kernel/config
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /run
mkdir -p /run/tmp
export TMPDIR=/run/tmp
mount -t hostfs -o "$HIL_OUT" none "$HIL_OUT"
sh "$HIL_OUT/job.sh"
echo $? >"$HIL_OUT/status"
sync
exec "$HIL_PYTHON" -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)'  # RB_POWER_OFF
