import os

from tools.virtual.joined_line import JoinedLine


def test_each_end_hears_what_all_others_send_and_not_itself() -> None:
    line = JoinedLine(3)
    ends = [os.open(end, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK) for end in line.ends]
    every = bytes(range(256))
    for at, end in enumerate(ends):
        os.write(end, every)
        line.forward(5.0)
        for other, far in enumerate(ends):
            try:
                heard = os.read(far, 1024)
            except BlockingIOError:
                heard = b""
            assert heard == (b"" if other == at else every)
    for end in ends:
        os.close(end)
    line.close()


def test_an_end_that_nobody_reads_holds_nobody_up() -> None:
    line = JoinedLine(3)
    ends = [os.open(end, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK) for end in line.ends]
    heard = 0
    for _ in range(100):
        os.write(ends[0], b"x" * 1000)
        line.forward(5.0)
        heard += len(os.read(ends[1], 4096))
    assert heard == 100_000
    for end in ends:
        os.close(end)
    line.close()
