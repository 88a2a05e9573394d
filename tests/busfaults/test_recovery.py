"""What the matrix found, each by itself: after the fault everybody finds together again."""

from random import Random

import pytest

from firmware.bus import frame, message_bytes
from firmware.bus.messages import Envelope
from tools.busfaults.campaign import CONVERGE_US
from tools.busfaults.oracle import Findings
from tools.busfaults.world import Fault, World, honest

MOST = 2**32 - 1
SECOND_US = 1_000_000


def world_of(displays: int) -> World:
    world = World(Random(3), honest, Findings(), displays)
    world.run(5 * SECOND_US)
    return world


class Deaf(Fault):
    """These displays hear nobody."""

    deaf: tuple[int, ...] = ()

    def deliveries(self, source: int, framed: bytes, at_us: int):
        heard = self.world.everybody(source, framed, at_us)
        return [one for one in heard if one[0] not in self.deaf]


def test_the_greatest_counter_in_a_display_s_own_name_does_not_outlive_who_said_it() -> None:
    world = world_of(1)
    key, deaf = world.house.keys[1], Deaf(world, 0)
    deaf.deaf = (1,)
    world.fault = deaf
    world.run(2 * SECOND_US)
    session = world.house.display_host._session
    ask = message_bytes.ask_bytes(Envelope(1, session, MOST), key)
    world.deliver([(1, world.now_us, frame.encode(ask))])
    world.run(100_000)
    world.fault = None
    world.day.held = True
    world.run(CONVERGE_US)
    assert world.has_converged(world.screens[0])
    world.close()


def test_the_greatest_heartbeat_counter_does_not_outlive_its_second() -> None:
    world = world_of(1)
    key, screen = world.house.keys[1], world.screens[0]
    challenge, session, _ = screen.receiver._challenges[-1]
    told = screen.receiver._told._replace(counter=MOST)
    assert told.session == session
    payload = message_bytes.answered(message_bytes.heartbeat_bytes(told), [(1, key, challenge)])
    world.day.held = True
    world.deliver([(1, world.now_us, frame.encode(payload))])
    world.run(20_000)
    assert screen.receiver._counter == MOST
    world.run(CONVERGE_US)
    assert world.has_converged(screen)
    assert not world.findings.complaints
    world.close()


def test_who_lacks_the_number_is_served_before_those_who_lack_the_past() -> None:
    world = world_of(8)
    world.run(10 * SECOND_US)
    house, display_host = world.house, world.house.display_host
    newest = house.view.seq
    assert newest > 3
    for place in display_host._displays.places:
        place.want, place.is_dark = 1, False
    place.want = newest
    display_host._copies = display_host._apart_us = display_host._served = 0
    payloads = [frame.decode(framed[1:-1]) for framed in display_host.poll(world.now_us)]
    assert payloads[-1] == message_bytes.record_bytes(house.records[newest])
    world.close()


@pytest.mark.parametrize("phase_us", range(0, 800_000, 100_000))
def test_a_full_line_lights_a_number_with_a_correction_behind_it_within_two_seconds(
    phase_us: int,
) -> None:
    """Each record comes again after .8 s only; wherever in that time all hear again."""
    world = world_of(32)
    deaf = Deaf(world, 0)
    deaf.deaf = tuple(range(1, 33))
    world.fault = deaf
    world.day.held = True
    world.house.coup += 1
    for decide in (lambda: world.house.confirm(17), lambda: world.house.correct(5, back=1)):
        view = decide()
        world.house.set_view(view)
        world.oracle.set_view(view, world.now_us)
        world.run(700_000)
    world.run(phase_us)
    world.fault = None
    world.run(CONVERGE_US)
    assert [screen.receiver.lit.number for screen in world.screens] == [17] * 32
    assert not world.findings.complaints
    world.close()
