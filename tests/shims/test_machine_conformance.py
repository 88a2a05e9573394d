"""What MicroPython promises of `machine`, held against every provider (the benches of conftest)."""

import errno

import pytest
from patience import until, within

INPUT, POLLED, OUTPUT = 17, 23, 12
I2C_ADDR, NO_ADDR = 0x53, 0x21


def test_an_output_follows_its_pin(bench):
    pin = bench.machine.Pin(OUTPUT, bench.machine.Pin.OUT, value=1)
    levels = [bench.level(OUTPUT)]
    for change in (pin.off, pin.on, lambda: pin.value(0), lambda: pin.value(True), lambda: pin(0)):
        change()
        levels.append(bench.level(OUTPUT))
    assert levels == [1, 0, 1, 0, 1, 0]


def test_an_output_reads_back_what_it_drives(bench):
    pin = bench.machine.Pin(OUTPUT, bench.machine.Pin.OUT, value=1)
    assert (pin.value(), pin()) == (1, 1)


def test_a_pin_without_a_mode_is_left_as_it_is(bench):
    bench.machine.Pin(OUTPUT, bench.machine.Pin.OUT, value=1)
    assert bench.machine.Pin(OUTPUT).value() == 1


def test_setting_an_output_up_again_keeps_its_level(bench):
    pin = bench.machine.Pin(OUTPUT, bench.machine.Pin.OUT, value=1)
    pin.init(bench.machine.Pin.OUT)
    assert bench.level(OUTPUT) == 1
    pin.init(bench.machine.Pin.OUT, value=0)
    assert bench.level(OUTPUT) == 0


@pytest.mark.parametrize("number", [INPUT, POLLED])
def test_an_input_reads_what_the_world_drives(bench, number):
    pin = bench.machine.Pin(number, bench.machine.Pin.IN)
    levels = [pin.value()]
    for level in (1, 0, 1):
        bench.set_input(number, level)
        levels.append(pin.value())
    assert levels == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("trigger", "expected"),
    [("IRQ_RISING", [1, 1]), ("IRQ_FALLING", [0]), (None, [1, 0, 1])],
)
def test_irq_calls_the_handler_with_its_pin_at_the_edges_asked_for(bench, trigger, expected):
    seen = []
    pin = bench.machine.Pin(INPUT, bench.machine.Pin.IN)
    options = {"trigger": getattr(bench.machine.Pin, trigger)} if trigger else {}
    pin.irq(lambda which: seen.append((which, which.value())), **options)
    for level in (1, 0, 1):
        bench.set_input(INPUT, level)
        bench.pump()
    assert seen == [(pin, level) for level in expected]


def test_irq_without_a_handler_ends_it(bench):
    seen = []
    pin = bench.machine.Pin(INPUT, bench.machine.Pin.IN)
    pin.irq(seen.append)
    pin.irq(None)
    bench.set_input(INPUT, 1)
    bench.pump()
    assert seen == []


def test_a_wave_has_the_duty_that_was_set(bench):
    wave = bench.machine.PWM(bench.machine.Pin(OUTPUT), freq=1000, duty_u16=16384)
    assert (_duty(bench), wave.duty_u16(), wave.freq()) == (_about(bench, 16384), 16384, 1000)
    wave.duty_u16(65535)
    assert (_duty(bench), wave.duty_u16()) == (_about(bench, 65535), 65535)
    wave.freq(500)
    assert (_duty(bench), wave.freq()) == (_about(bench, 65535), 500)


def test_a_wave_that_ends_leaves_its_line_low_and_may_begin_again(bench):
    wave = bench.machine.PWM(bench.machine.Pin(OUTPUT), freq=1000, duty_u16=65535)
    wave.deinit()
    assert (_duty(bench), bench.level(OUTPUT)) == (0, 0)
    bench.machine.PWM(bench.machine.Pin(OUTPUT), freq=1000, duty_u16=7)
    assert _duty(bench) == _about(bench, 7)


def _duty(bench):
    return bench.duty_u16(OUTPUT)


def _about(bench, duty_u16):
    """A software wave has the duty as well as it can."""
    return pytest.approx(duty_u16, abs=bench.duty_error_u16)


@pytest.mark.parametrize(("freq", "duty"), [(0, 0), (1000, -1), (1000, 65536)])
def test_an_impossible_wave_is_refused(bench, freq, duty):
    with pytest.raises(ValueError, match="PWM wants"):
        bench.machine.PWM(bench.machine.Pin(OUTPUT), freq=freq, duty_u16=duty)


def test_scan_finds_the_chip_and_nothing_else(bench):
    assert bench.machine.I2C(1, freq=400_000).scan() == [I2C_ADDR]


@pytest.mark.parametrize("count", [1, 6, 32, 40])
def test_registers_written_read_back(bench, count):
    i2c = bench.machine.I2C(1)
    data = bytes(range(1, count + 1))
    assert i2c.writeto_mem(I2C_ADDR, 3, data) is None
    assert bytes(bench.chip[3 : 3 + count]) == data
    assert i2c.readfrom_mem(I2C_ADDR, 3, count) == data
    buffer = bytearray(count)
    i2c.readfrom_mem_into(I2C_ADDR, 3, buffer)
    assert bytes(buffer) == data


def test_plain_writes_and_reads_move_the_chips_pointer(bench):
    i2c = bench.machine.I2C(1)
    bench.chip[10:14] = b"abcd"
    assert i2c.writeto(I2C_ADDR, b"\x0a") == 1
    assert i2c.readfrom(I2C_ADDR, 1) == b"a"
    buffer = bytearray(3)
    i2c.readfrom_into(I2C_ADDR, buffer)
    assert buffer == b"bcd"
    assert i2c.writevto(I2C_ADDR, [b"\x14", b"xy", bytearray(b"z")]) == 4
    assert bytes(bench.chip[20:23]) == b"xyz"


@pytest.mark.parametrize(
    "call",
    [
        lambda i2c: i2c.readfrom(NO_ADDR, 1),
        lambda i2c: i2c.readfrom(NO_ADDR, 4),
        lambda i2c: i2c.writeto(NO_ADDR, b"1"),
        lambda i2c: i2c.readfrom_mem(NO_ADDR, 0, 40),
        lambda i2c: i2c.writeto_mem(NO_ADDR, 0, b"1"),
    ],
)
def test_an_address_where_nobody_answers_is_enodev(bench, call):
    with pytest.raises(OSError, match=f"Errno {errno.ENODEV}"):
        call(bench.machine.I2C(1))


def test_a_transfer_that_would_have_to_leave_the_bus_held_is_refused(bench):
    with pytest.raises(OSError, match=f"Errno {errno.EOPNOTSUPP}"):
        bench.machine.I2C(1).writeto(I2C_ADDR, b"1", False)


def _wait_for(condition):
    # A pty hands bytes on in its own time.
    return until(condition)


def test_a_uart_carries_every_byte_both_ways(bench):
    uart = bench.machine.UART(0, 115_200)
    data = bytes(range(256))
    assert uart.write(data) == 256
    assert bench.far_read(256) == data
    bench.far_write(data)
    _wait_for(lambda: uart.any() == 256)
    buffer = bytearray(100)
    assert uart.readinto(buffer) == 100
    assert bytes(buffer) == data[:100]
    assert uart.read(56) == data[100:156]
    assert uart.read() == data[156:]
    uart.deinit()


def test_a_uart_with_nothing_to_read_says_none_at_once(bench):
    uart = bench.machine.UART(0, 9600)
    assert (uart.any(), uart.read(), uart.read(5), uart.readinto(bytearray(5))) == (
        0,
        None,
        None,
        None,
    )
    uart.deinit()


def test_a_uart_that_nobody_reads_takes_no_more_instead_of_waiting(bench):
    uart = bench.machine.UART(0, 115_200)
    with within(10.0, "a line that nobody reads"):
        taken = [uart.write(b"x" * 1000) for _ in range(1000)]
    assert None in taken, "a full line must refuse"
    uart.deinit()


def test_a_uart_that_vanishes_raises_oserror_with_a_number(bench):
    uart = bench.machine.UART(0, 115_200)
    bench.unplug()
    for call in (uart.any, uart.read, lambda: uart.write(b"x")):
        with pytest.raises(OSError, match="Errno "):
            call()
    uart.deinit()


def test_a_uart_that_the_machine_lacks_is_enodev(bench):
    with pytest.raises(OSError, match=f"Errno {errno.ENODEV}"):
        bench.machine.UART(7)


def test_the_watchdog_is_fed_once_a_feed(bench):
    dog = bench.machine.WDT(timeout=5000)
    before = bench.feeds()
    dog.feed()
    dog.feed()
    assert (before, bench.feeds()) == (0, 2)
