import errno
import os
import select
import sys
import tty as raw_tty
import types

import pytest
from patience import LAST_RESORT_S

import boards
from firmware.shims import pi
from firmware.shims.linux import Ports, SmbusI2c, tty

PI5 = boards.load("pi5")
KERNEL_HOLDS = 4096  # bytes a terminal has passed to the reading side already


@pytest.fixture
def pi5(monkeypatch, fake_gpio):
    fake = fake_gpio("pinctrl-rp1")
    package = types.ModuleType("RPi")
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", fake.gpio)
    monkeypatch.setitem(sys.modules, "gpiod", fake.gpiod)
    monkeypatch.setattr(pi, "find_chip", lambda gpiod, label: f"/dev/{label}")
    monkeypatch.setenv("LG_WD", "")  # so that it is undone afterwards
    monkeypatch.delenv("LG_WD")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/cylindre")
    return fake


def test_a_boards_inputs_belong_to_gpiod_and_its_outputs_to_rpi_gpio(pi5):
    machine = pi.open_machine(PI5)
    for _, pin in PI5["outputs"]:
        machine.Pin(pin, machine.Pin.OUT, value=0)
    owners = {pin: pi5.lines.owner[pin] for key in ("inputs", "safety_inputs", "outputs")
              for _, pin in PI5[key]}  # fmt: skip
    outputs = {pin for _, pin in PI5["outputs"]}
    assert owners == {pin: "RPi.GPIO" if pin in outputs else "gpiod" for pin in owners}
    assert len(owners) == 22


def test_an_input_that_is_made_an_output_is_refused(pi5):
    machine = pi.open_machine(PI5)
    with pytest.raises(OSError, match="GPIO 4 cannot be an output"):
        machine.Pin(4, machine.Pin.OUT)


def test_a_pin_the_board_does_not_name_is_no_input(pi5):
    machine = pi.open_machine(PI5)
    with pytest.raises(ValueError, match="GPIO 15 is not an input of this board"):
        machine.Pin(15, machine.Pin.IN)


def test_the_uart_that_a_board_names_is_opened_by_its_path(pi5, monkeypatch):
    opened = []
    monkeypatch.setattr("firmware.shims.linux.Tty", lambda path, _: opened.append(path))
    number = PI5["buses"]["displays"][1]
    pi.open_machine(PI5).UART(number, 115200)
    assert opened == ["/dev/ttyAMA0"]


def test_a_wave_too_fast_for_lgpio_is_refused(pi5):
    machine = pi.open_machine(PI5)
    with pytest.raises(ValueError, match="20000 Hz is above 10000 Hz"):
        machine.PWM(machine.Pin(12), freq=20_000)


def test_closing_puts_outputs_low_and_gives_lines_back(pi5):
    machine = pi.open_machine(PI5)
    machine.Pin(13, machine.Pin.OUT, value=1)
    machine.PWM(machine.Pin(12), freq=1000, duty_u16=9)
    machine.close()
    machine.close()
    assert pi5.lines.levels[13] == 0
    assert pi5.lines.owner == {}
    assert pi5.lines.waves == {}


def test_lgpio_is_given_a_writable_folder_before_it_is_imported(pi5):
    pi.open_machine(PI5)
    assert os.environ.pop("LG_WD") == "/run/cylindre"


def test_a_missing_library_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "gpiod", None)
    monkeypatch.setenv("LG_WD", "/tmp")
    with pytest.raises(OSError, match="gpiod is not installed: it comes with the extra `pi`"):
        pi.open_machine(PI5)


def test_a_port_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(OSError, match=r"ttyX cannot be opened: No such file") as caught:
        tty(str(tmp_path / "ttyX"))
    assert caught.value.errno == errno.ENOENT


def test_a_port_has_one_owner():
    far, near = os.openpty()
    path = os.ttyname(near)
    os.close(near)
    first = tty(path)
    with pytest.raises(OSError, match="another program has it"):
        tty(path)
    first.deinit()
    tty(path).deinit()
    os.close(far)


def test_a_stalled_port_forgets_what_nobody_took():
    far, near = os.openpty()
    raw_tty.setraw(near)
    port = tty(os.ttyname(near))
    os.close(near)
    waiting = 0
    while taken := port.write(b"old" * 100):
        waiting += taken
    assert waiting > KERNEL_HOLDS
    assert port.write(b"new") == 3, "the line has room again"
    late = b""
    while not late.endswith(b"new"):
        assert select.select([far], [], [], LAST_RESORT_S)[0]
        late += os.read(far, waiting)
    assert len(late) <= KERNEL_HOLDS + 3
    port.deinit()
    os.close(far)


def test_a_stalled_port_that_vanishes_is_one_sentence(monkeypatch):
    far, near = os.openpty()
    port = tty(os.ttyname(near))
    os.close(near)
    monkeypatch.setattr(select, "select", lambda *_: ([], [], []))
    os.close(far)
    with pytest.raises(OSError, match="is gone"):
        port.write(b"new")
    port.deinit()


def test_a_watchdog_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(OSError, match="watchdog cannot be armed: No such file"):
        Ports({}, str(tmp_path / "watchdog")).open_wdt(5000)


def test_the_watchdogs_time_is_rounded_up_to_seconds(tmp_path):
    (tmp_path / "watchdog").touch()
    asked = []
    ports = Ports({}, str(tmp_path / "watchdog"), lambda fd, request, value: asked.append(value))
    ports.open_wdt(4200)
    assert asked == [b"\x05\0\0\0"]


def test_a_bus_that_is_not_there_is_one_sentence(monkeypatch):
    def refuse(bus):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    module = types.SimpleNamespace(SMBus=refuse, i2c_msg=None)
    monkeypatch.setitem(sys.modules, "smbus2", module)
    with pytest.raises(OSError, match=r"I2C bus 1 cannot be opened: No such file .* enabled"):
        SmbusI2c(1)


def test_a_controller_without_empty_messages_is_scanned_by_reading(monkeypatch):
    class Rp1Bus:
        def write_quick(self, addr):
            raise OSError(errno.EOPNOTSUPP, "Operation not supported")

        def read_byte(self, addr):
            if addr != 0x68:
                raise OSError(errno.EREMOTEIO, "Remote I/O error")
            return 0

    module = types.SimpleNamespace(SMBus=lambda bus: Rp1Bus(), i2c_msg=None)
    monkeypatch.setitem(sys.modules, "smbus2", module)
    bus = SmbusI2c(1)
    assert [addr for addr in range(0x08, 0x78) if bus.probe(addr)] == [0x68]


def test_cups_behind_an_expander_are_no_lines_of_the_machine_and_its_interrupts_are(pi5):
    board = {**boards.load("boule_pi4"), "model": "pi5"}
    machine = pi.open_machine(board)
    gpiod = {pin for pin, owner in pi5.lines.owner.items() if owner == "gpiod"}
    assert gpiod == {4, 5, 6, 21, 22, 10, 11, 18, 7, 8}
    assert len(machine.edges.initial_levels) == 10
