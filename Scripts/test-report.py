"""Names each suite of a run of Scripts/test with its number of tests, its seconds and its slowest tests, from its output. It fails if a
suite ran no test, and, with VENUE_TEST_BUDGET set, if all suites together took longer than the budget in Scripts/test-budget:

    test-report.py LOGS SUITE…
"""
import os
import pathlib
import re
import sys

# How test runners report the number of tests, a group for the number of passed ones.
COUNTS = [
    r"Test run with (\d+) tests? .*passed",  # Swift Testing
    r"^# pass (\d+)",  # Node, TAP
    r"^ℹ pass (\d+)",  # Node, the reporter for terminals
    r"^=* ?(\d+) passed",  # pytest
    r"^Ran (\d+) tests? in",  # unittest
    r"\[ +(\d+) tests successful",  # JUnit
]
# How they report the time of a test: its name and its seconds.
TIMES = [
    (r'^✔ Test "(.+?)"(?: with \d+ test cases?)? passed after ([\d.]+) seconds', 1),
    (r"^([\d.]+)s (?:call|setup) +(\S+)", -1),
]
NODE_TIME = re.compile(r"^ok \d+ - (.+)\n  ---\n  duration_ms: ([\d.]+)", re.M)
SHOWN = 5
# These are programs that check, and report no numbers.
WITHOUT_NUMBERS = {"java", "wayfinding", "tiles", "ogc"}


def slowest(text):
    found = {}
    for pattern, order in TIMES:
        for match in re.finditer(pattern, text, re.M):
            name, seconds = match.groups()[::order]
            found[name] = max(found.get(name, 0), float(seconds))
    for name, milliseconds in NODE_TIME.findall(text):
        found[name] = max(found.get(name, 0), float(milliseconds) / 1000)
    return sorted(found.items(), key=lambda item: -item[1])[:SHOWN]


def main(folder, suites):
    total, tests, problems = int((folder / "all.seconds").read_text()), 0, []
    for suite in suites:
        text = (folder / f"{suite}.log").read_text(errors="replace")
        seconds = int((folder / f"{suite}.seconds").read_text())
        count = sum(int(found) for pattern in COUNTS for found in re.findall(pattern, text, re.M))
        tests += count
        print(f"test: {suite}: {count or '–'} tests passed in {seconds} s")
        if count == 0 and suite not in WITHOUT_NUMBERS:
            problems.append(f"no test of the suite {suite} passed")
        for name, time in slowest(text):
            print(f"    {time:7.1f} s  {name[:110]}")
    budget = int(re.search(r"^(\d+)$", pathlib.Path(__file__).with_name("test-budget").read_text(), re.M)[1])
    print(f"test: {tests} tests passed in {total} s; the budget of all suites is {budget} s")
    if os.environ.get("VENUE_TEST_BUDGET") and total > budget:
        problems.append(f"the suites took {total} s, and may take {budget} s")
    for problem in problems:
        print(f"test: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
