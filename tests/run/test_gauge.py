"""Whoever is told how fast the rotor turns does not come between the loop and the rotor."""

from typing import Any

from firmware.run.app import SpeedReportingMotor


class Rotor:
    def __init__(self) -> None:
        self.calls: list[Any] = []

    def drive(self, direction: int, now_us: int, speed_uturn_s: int | None = None) -> None:
        self.calls.append(("drive", direction, now_us))

    def poll(self, now_us: int, speed_uturn_s: int) -> str | None:
        self.calls.append(("poll", now_us, speed_uturn_s))
        return "M11"

    def stop(self) -> None:
        self.calls.append("stop")

    def effort(self) -> tuple[int, int]:
        return 2_100_000, 640


def test_a_speed_listener_hears_of_every_poll_after_the_rotor_has_had_it() -> None:
    rotor = Rotor()
    motor = SpeedReportingMotor(rotor, lambda *told: rotor.calls.append(("told", *told)))
    motor.drive(-1, 5)
    assert motor.poll(10, -350_000) == "M11"
    motor.stop()
    assert motor.effort() == (2_100_000, 640)
    assert rotor.calls == [("drive", -1, 5), ("poll", 10, -350_000), ("told", 10, -350_000), "stop"]
