"""Lets the time of a page pass, whose clock the test has installed, and lets a server respond again."""
import datetime

from playwright.sync_api import TimeoutError

# A fixed time when shops are open, so that nothing depends on the time of day. Not before the venues were published.
TOMORROW = datetime.date.today() + datetime.timedelta(days=1)
NOON = datetime.datetime.combine(TOMORROW, datetime.time(4), datetime.timezone.utc)  # 13:00 in Tokyo


def wait_with_clock(page, target, minutes=20, step=30_000):
    """Lets the time of the page pass until it shows something. Requests begin at moments that are not known here.

    A request that begins within a step has no time to get its response before the step is over: where it has to get
    one, a step is shorter than the time after which a request is given up.
    """
    for _ in range(minutes * 60_000 // step):
        page.clock.run_for(step)
        try:
            target.wait_for(timeout=500)
            return
        except TimeoutError:
            continue
    raise AssertionError(f"not shown within {minutes} minutes")


def respond(page):
    page.unroute_all(behavior="ignoreErrors")
