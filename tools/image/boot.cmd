# Run by U-Boot: starts the first slot of BOOT_ORDER that has tries left, counted down before.
# What fails to start is reset, and the next start takes the next slot.
setenv state_size 4000
setenv whole
for file in slots.env slots.bak; do
  if test -z "${whole}"; then
    if load ${devtype} ${devnum}:1 ${loadaddr} ${file} ${state_size}; then
      if env import -c ${loadaddr} ${state_size} BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT; then
        setenv whole ${file}
      fi
    fi
  fi
done
# Neither is whole: a card that somebody wrote on.
if test -z "${BOOT_ORDER}"; then setenv BOOT_ORDER A B; fi
if test -z "${BOOT_A_LEFT}"; then setenv BOOT_A_LEFT 3; fi
if test -z "${BOOT_B_LEFT}"; then setenv BOOT_B_LEFT 3; fi

setenv slot
setenv last
for each in ${BOOT_ORDER}; do
  if test -z "${slot}"; then
    if test "${each}" = "A" && test ${BOOT_A_LEFT} -gt 0; then
      setexpr BOOT_A_LEFT ${BOOT_A_LEFT} - 1
      setenv slot A; setenv boot_part 2; setenv root_part 05
      if test ${BOOT_A_LEFT} -eq 0; then setenv last A; fi
    fi
    if test "${each}" = "B" && test ${BOOT_B_LEFT} -gt 0; then
      setexpr BOOT_B_LEFT ${BOOT_B_LEFT} - 1
      setenv slot B; setenv boot_part 3; setenv root_part 06
      if test ${BOOT_B_LEFT} -eq 0; then setenv last B; fi
    fi
  fi
done
# All tries are used up: the first of the order once more, rather than none.
if test -z "${slot}"; then
  if test "${BOOT_ORDER}" = "B A" || test "${BOOT_ORDER}" = "B"; then
    setenv slot B; setenv boot_part 3; setenv root_part 06; setenv BOOT_A_LEFT 1
  else
    setenv slot A; setenv boot_part 2; setenv root_part 05; setenv BOOT_B_LEFT 1
  fi
fi
env export -c -s ${state_size} ${loadaddr} BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT
if fatwrite ${devtype} ${devnum}:1 ${loadaddr} slots.env ${state_size}; then setenv last; fi
fatwrite ${devtype} ${devnum}:1 ${loadaddr} slots.bak ${state_size}
# A last start that cannot be counted would be tried for ever: the other slot, if it has starts.
for each in ${BOOT_ORDER}; do
  if test "${last}${each}" = "BA" && test ${BOOT_A_LEFT} -gt 0; then
    setenv slot A; setenv boot_part 2; setenv root_part 05
  fi
  if test "${last}${each}" = "AB" && test ${BOOT_B_LEFT} -gt 0; then
    setenv slot B; setenv boot_part 3; setenv root_part 06
  fi
done

echo "cylindre: slot ${slot} (order ${BOOT_ORDER}, A ${BOOT_A_LEFT}, B ${BOOT_B_LEFT}, ${whole})"
setenv machine
# The same machine every time, for the log: the Pi's own number, twice.
if test -n "${serial#}"; then setenv machine "systemd.machine_id=${serial#}${serial#}"; fi
setenv args
if load ${devtype} ${devnum}:${boot_part} ${loadaddr} args.txt; then
  env import -t ${loadaddr} ${filesize} args
fi
setenv bootargs "root=PARTUUID=63796c31-${root_part} rauc.slot=${slot} ${args} ${machine}"
if load ${devtype} ${devnum}:${boot_part} ${kernel_addr_r} vmlinuz; then
  if load ${devtype} ${devnum}:${boot_part} ${ramdisk_addr_r} initrd.img; then
    booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt_addr}
  fi
fi
echo "cylindre: slot ${slot} does not start"
reset
