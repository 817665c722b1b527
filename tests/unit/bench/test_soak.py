"""What the soak takes for growth."""

from bench.soak.figures import WARM, Figures, growth


def course(calls: int, grown: float) -> list[Figures]:
    """A run of a hundred samples in which memory rises while it warms up, then by so much in all."""
    return [
        Figures(
            seconds=5.0 * moment,
            calls=calls * moment // 100,
            errors=0,
            hub_mb=60 + min(moment, 33) + grown * max(0, moment - 33) / 66,
            files=40,
            sockets=30 + moment * 7 % 60,
            threads=10,
            processes=20,
            chrome_mb=1_000,
            folders=1,
        )
        for moment in range(101)
    ]


def test_what_rises_after_it_was_warm_grows_and_what_rose_before_does_not() -> None:
    much, most = growth(course(4 * WARM, grown=0))["hub_mb"]
    assert (round(much), most) == (0, 10)
    much, most = growth(course(4 * WARM, grown=30))["hub_mb"]
    assert (round(much), most) == (21, 10)  # from the first to the last third of that time


def test_what_comes_and_goes_does_not_grow() -> None:
    much, most = growth(course(4 * WARM, grown=0))["sockets"]
    assert abs(much) <= 3 < most


def test_a_run_of_few_calls_tells_nothing() -> None:
    assert growth(course(2 * WARM - 100, grown=0)) == {}
