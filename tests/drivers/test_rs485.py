from drivers.rs485 import LOST, REOPEN_US, Rs485Port
from firmware.shims.virtual import UART_ROOM, VirtualMachine, uart_pair


class Line:
    def __init__(self):
        self.near, self.far = uart_pair()
        machine = VirtualMachine()
        machine.attach_uart(0, self.near)
        self.opened = 0

        def open_uart():
            self.opened += 1
            return machine.UART(0, 115_200)

        self.port = Rs485Port(open_uart)


def test_nothing_is_opened_before_the_first_poll():
    line = Line()
    assert (line.port.lost, line.port.write(b"x"), line.port.read(), line.opened) == (
        True,
        False,
        b"",
        0,
    )


def test_bytes_go_both_ways():
    line = Line()
    assert line.port.poll(0) is None
    assert line.port.write(b"ping")
    assert line.far.read(9) == b"ping"
    line.far.write(b"pong")
    assert line.port.read() == b"pong"
    assert line.port.read() == b""


def test_a_vanished_port_is_told_once_and_opened_again_later():
    line = Line()
    line.port.poll(0)
    line.near.unplug()
    assert line.port.write(b"lost") is False
    assert line.port.lost
    assert [line.port.poll(t) for t in (10, 20, 30)] == [LOST, None, None]
    assert line.opened == 1
    assert line.port.poll(10 + REOPEN_US) is None
    assert (line.opened, line.port.lost) == (2, True), "tried, in vain, and not told again"
    line.near.plug()
    assert line.port.poll(15 + REOPEN_US) is None
    assert line.port.lost, "not before its time"
    line.port.poll(20 + 2 * REOPEN_US)
    assert line.port.write(b"back")
    assert line.far.read(9) == b"back", "what was lost is not sent late"


def test_a_second_loss_is_told_again():
    line = Line()
    line.port.poll(0)
    codes = []
    for start in (10, 10 * REOPEN_US):
        line.near.unplug()
        line.port.read()
        codes.append(line.port.poll(start))
        line.near.plug()
        codes.append(line.port.poll(start + 2 * REOPEN_US))
    assert codes == [LOST, None, LOST, None]


def test_a_port_missing_from_the_start_is_told_once():
    line = Line()
    line.near.unplug()
    assert [line.port.poll(t) for t in (0, 1, 2 * REOPEN_US, 4 * REOPEN_US)] == [
        LOST,
        None,
        None,
        None,
    ]


def test_a_line_that_takes_a_frame_in_part_gets_the_rest_of_it():
    line = Line()
    line.port.poll(0)
    frames = [bytes([i]) * 100 for i in range(UART_ROOM // 100 + 1)]
    assert all(line.port.write(frame) for frame in frames)
    received = line.far.read(UART_ROOM)
    line.port.poll(1)
    assert received + line.far.read(UART_ROOM) == b"".join(frames)


def test_a_stalled_line_does_not_deliver_later_what_it_would_not_take():
    line = Line()
    line.port.poll(0)
    line.near.write(bytes(UART_ROOM))
    assert [line.port.write(b"old" * 10) for _ in range(3)] == [False] * 3
    assert not line.port.lost, "it is stalled, not gone"
    line.far.read(UART_ROOM)
    assert line.port.poll(1) is None
    assert line.port.write(b"new")
    assert line.far.read(UART_ROOM) == b"new"


def test_a_closed_port_is_given_back_silently():
    line = Line()
    line.port.poll(0)
    line.port.close()
    assert line.port.lost
    assert line.port.poll(1) is None
