"""The stand-in for gpiod beside the real one, which the guest has (make kernel-rig)."""

import gpiod


def test_the_stand_in_has_the_shape_of_the_real_gpiod(fake_gpio, settings_class):
    stand_in = fake_gpio().gpiod
    for name in ("Direction", "Edge", "Bias", "Clock"):
        ours = {item.name for item in getattr(stand_in.line, name)}
        assert ours <= {item.name for item in getattr(gpiod.line, name)}
    assert set(settings_class().__dict__) <= set(gpiod.LineSettings().__dict__)
    assert {"RISING_EDGE", "FALLING_EDGE"} == {item.name for item in gpiod.EdgeEvent.Type}
    fields = ("event_type", "timestamp_ns", "line_offset", "global_seqno", "line_seqno")
    assert set(fields) == set(gpiod.EdgeEvent.__dataclass_fields__)
    for method in ("wait_edge_events", "read_edge_events", "get_values", "get_value", "release"):
        assert callable(getattr(gpiod.LineRequest, method))
