#!/usr/bin/env python3
"""What another implementation says of opening hours: a table for the tests beside this file.

    pip install opening_hours_py==2.1.4
    answers.py > answers.txt                    the table that is checked in
    answers.py --seed 7 --generated 3000        another one, on the standard output too

First come lines that begin with '#': the holidays and the instants (seconds since 1970) that are asked for. Then a line for
each expression, its columns parted by tabs: time zone, kind, expression, states at all the instants (o, c, u), and the next
changes after the first of them: '-' for none within a year, '?' where that is a matter of a day, or of an hour that comes twice.

The kind is '-' where both are meant to agree; otherwise it names what the two implementations understand differently.
"""

import argparse
import random
import re
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import opening_hours

ZONES = ["Asia/Tokyo", "Europe/Berlin", "America/St_Johns", "UTC"]
DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
CHANGES = 10

WRITTEN = """
24/7
24/7 off
off
closed
unknown
open
Mo-Fr
Mo-Fr 08:00-20:00
Su-Sa 09:00-17:00
Mo-Su 10:00-21:00
10:00-20:00
PH 9:00-17:00
Mo-Fr 09:00-17:00; PH off
Mo-Su 10:00-20:00; PH 11:00-18:00
Mo-Fr,PH 10:00-18:00
Mo-Su,PH 10:00-18:00
Mo-Sa 10:00-20:00; Su,PH off
Mo,We,Fr 10:00-12:00,13:00-18:30
Mo-Fr 09:00-12:00,13:00-17:00; Sa 09:00-12:00
Mo-Fr 09:00-17:00, Sa 10:00-14:00
Mo-Fr 09:00-17:00, We 18:00-20:00
Mo-Th 11:00-22:00; Fr,Sa 11:00-23:30; Su 12:00-21:00
Fr-Sa 18:00-26:00
Fr-Sa 18:00-02:00
Mo-Su 22:00-06:00
Mo-Su 07:00-24:00
Mo-Su 00:00-24:00
18:00+
Fr,Sa 20:00+
Mar-Oct: Mo-Fr 10:00-18:00
Mar-Oct 10:00-18:00; Nov-Feb 10:00-16:00
Nov-Feb Sa-Su 12:00-16:00
Jan-Mar,Oct 10:00-16:00
10:00-18:00; Dec 25 off
10:00-18:00; Dec 24-26 off
10:00-18:00; Dec 24-Jan 02 off
10:00-18:00; Dec 31,Jan 01 off
2031 Jan 01-2031 Mar 31 10:00-16:00
2031 10:00-12:00
2031-2032 Mo 10:00-12:00
2032+ 10:00-12:00
week 01-20 Mo 10:00-12:00
week 1-53/2 We 10:00-12:00
week 2-52/2 We 10:00-12:00
week 1,3,5: Mo 08:00-09:00
10:00-18:00; easter -2 days off
10:00-18:00; easter off
10:00-18:00; easter +1 day 12:00-14:00
Tu[1] 10:00-12:00
Sa[1,3] 10:00-12:00
Sa[2-3] 10:00-12:00
Su[-1] 10:00-12:00
Mo-Fr 10:00-18:00; Su[-1] 12:00-17:00
Mo[1] +1 day 10:00-12:00
10:00-18:00; 12:00-13:00 off
Mo-Fr 08:00-18:00; We 12:00-13:00 off
Mo-Fr 10:00-18:00, We off
10:00-18:00; Mo off
Mo off; 10:00-18:00
Mo-Fr 10:00-18:00 unknown
10:00-18:00 unknown, 12:00-20:00
24/7; Su off
24/7; Su 08:00-12:00 off
Mo-Fr 02:30-03:30
Su 01:00-02:30; Mo-Sa 02:00-03:00
Su 00:00-00:30
Sa-Mo 10:00-12:00
Feb 29 10:00-12:00
Feb 20-Mar 01 10:00-12:00
Jun 1-10 Mo-Fr 10:00-12:00
PH -1 day 10:00-14:00
Mo-Fr 09:00-17:00; PH -1 day 09:00-14:00
Mo-Fr 10:00-18:00 "by appointment"
"ask"
Mo-Fr 10:00-18:00 || unknown
Mo-Fr 08:00-12:00 || Sa 10:00-11:00
Mo-Fr 08:00-12:00 || "call us"
sunrise-sunset
10:00-sunset
(sunrise+01:00)-(sunset-00:30)
Mo-Fr 10:00-18:00+
Fr 18:00-02:00; Sa 18:00-03:00
Mo-Th 11:00-23:00; Fr-Sa 11:00-02:00; Su 12:00-22:00
Fr-Sa 18:00-02:00; Su off
10:00-18:00, 12:00-13:00 unknown
PH Sa 10:00-12:00
""".strip().splitlines()


def kind(expression):
    """What is understood differently here, or '-'."""
    if "||" in expression:
        return "fallback"
    if '"' in expression:
        return "comment"
    if re.search("sun|dawn|dusk", expression):
        return "sun"
    if re.search(r"\d:\d\d\+", expression):
        return "open-end"
    if re.search(r"[PS]H [MTWFS][a-z]", expression):
        return "holiday-and-weekday"
    spans = re.findall(r"(\d\d?):(\d\d)-(\d\d?):(\d\d)", expression)
    crosses = any(int(d) + 60 * int(c) > 1440 or int(d) + 60 * int(c) <= int(b) + 60 * int(a) for a, b, c, d in spans)
    if crosses and (";" in expression or ", " in expression):
        return "midnight"
    return "-"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def clock(self, low, high):
        minutes = self.random.randrange(low * 60, high * 60 + 1, 15)
        return f"{minutes // 60:02}:{minutes % 60:02}"

    def times(self):
        shape = self.random.random()
        if shape < 0.55:
            return f"{self.clock(6, 11)}-{self.clock(15, 24)}"
        if shape < 0.8:
            return f"{self.clock(6, 9)}-{self.clock(11, 12)},{self.clock(13, 14)}-{self.clock(15, 23)}"
        if shape < 0.9:
            return f"{self.clock(16, 23)}-{self.clock(0, 5)}"
        if shape < 0.97:
            return f"{self.clock(16, 23)}-{self.random.choice([25, 26, 27])}:00"
        return f"{self.clock(16, 22)}+"

    def days(self):
        shape = self.random.random()
        if shape < 0.4:
            first, last = sorted(self.random.sample(range(7), 2))
            return f"{DAYS[first]}-{DAYS[last]}"
        if shape < 0.5:
            first, last = sorted(self.random.sample(range(7), 2), reverse=True)
            return f"{DAYS[first]}-{DAYS[last]}"
        if shape < 0.7:
            return self.random.choice(DAYS)
        if shape < 0.8:
            return ",".join(DAYS[day] for day in sorted(self.random.sample(range(7), 3)))
        if shape < 0.88:
            return f"{self.random.choice(DAYS)}[{self.random.choice(['1', '2', '-1', '1,3', '2-4', '5', '-2'])}]"
        if shape < 0.95:
            return f"{self.random.choice(DAYS)},PH"
        return "PH"

    def date(self):
        month = self.random.randrange(12)
        return f"{MONTHS[month]} {self.random.randint(1, 28):02}"

    def season(self):
        shape = self.random.random()
        if shape < 0.35:
            return f"{self.random.choice(MONTHS)}-{self.random.choice(MONTHS)}"
        if shape < 0.5:
            return self.random.choice(MONTHS)
        if shape < 0.65:
            return self.date()
        if shape < 0.8:
            return f"{self.date()}-{self.date()}"
        if shape < 0.87:
            first = self.random.randint(1, 40)
            return f"week {first:02}-{first + self.random.randint(1, 12):02}"
        if shape < 0.93:
            return f"easter {self.random.choice(['-2 days', '+1 day', '+49 days'])}"
        return str(self.random.choice([2030, 2031, 2032]))

    def rule(self):
        parts = []
        if self.random.random() < 0.25:
            parts.append(self.season())
        if self.random.random() < 0.8:
            parts.append(self.days())
        modifier = self.random.random()
        if modifier < 0.78 or not parts:
            parts.append(self.times())
        elif modifier < 0.9:
            parts.append("off")
        elif modifier < 0.95:
            parts += [self.times(), "off"]
        else:
            parts += [self.times(), "unknown"]
        return " ".join(parts)

    def expression(self):
        rules = [self.rule() for _ in range(self.random.choice([1, 1, 2, 2, 3, 4]))]
        text = rules[0]
        for rule in rules[1:]:
            text += ("; " if self.random.random() < 0.8 else ", ") + rule
        return text


def instants(seed):
    """Spread over two years, with the nights in which clocks are changed."""
    chance = random.Random(seed)
    start = datetime(2031, 1, 1, tzinfo=timezone.utc)
    some = [start + timedelta(minutes=chance.randrange(2 * 365 * 24 * 12) * 5) for _ in range(24)]
    nights = [
        datetime(2031, 3, 30, 0, 40, tzinfo=timezone.utc), datetime(2031, 3, 30, 1, 20, tzinfo=timezone.utc),
        datetime(2031, 10, 26, 0, 40, tzinfo=timezone.utc), datetime(2031, 10, 26, 1, 20, tzinfo=timezone.utc),
        datetime(2031, 3, 9, 5, 40, tzinfo=timezone.utc), datetime(2031, 11, 2, 4, 10, tzinfo=timezone.utc),
        datetime(2031, 12, 31, 15, 0, tzinfo=timezone.utc), datetime(2032, 2, 29, 3, 0, tzinfo=timezone.utc),
    ]
    return nights[:4] + some[:6] + nights[4:] + some[6:]


def holidays(country):
    hours = opening_hours.OpeningHours("PH", country=country)
    days = []
    for start, end, state, _ in hours.intervals(datetime(2030, 12, 25), datetime(2034, 1, 10)):
        if str(state) == "open":
            while start < end:
                days.append(start.date().isoformat())
                start += timedelta(days=1)
    return days


def answer(expression, zone, moments, country):
    hours = opening_hours.OpeningHours(expression, timezone=ZoneInfo(zone), country=country, max_interval_days=400)
    local = [moment.astimezone(ZoneInfo(zone)) for moment in moments]
    states = "".join("o" if hours.is_open(m) else "c" if hours.is_closed(m) else "u" for m in local)
    changes = []
    for moment in local[:CHANGES]:
        # An hour that comes twice is one for them.
        later = (moment.astimezone(timezone.utc) + timedelta(hours=1)).astimezone(ZoneInfo(zone))
        if later.utcoffset() < moment.utcoffset():
            changes.append("?")
            continue
        change = hours.next_change(moment)
        distance = None if change is None else change.timestamp() - moment.timestamp()
        if distance is None or distance > 368 * 86_400:
            changes.append("-")
        elif distance > 364 * 86_400:
            changes.append("?")
        else:
            changes.append(str(int(change.timestamp())))
    return states, ",".join(changes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generated", type=int, default=220)
    arguments = parser.parse_args()
    country = "JP"
    moments = instants(arguments.seed)
    print("# holidays", *holidays(country))
    print("# instants", *[int(moment.timestamp()) for moment in moments])
    generator = Generator(arguments.seed)
    expressions = WRITTEN + [generator.expression() for _ in range(arguments.generated)]
    for number, expression in enumerate(expressions):
        zone = ZONES[number % len(ZONES)]
        try:
            states, changes = answer(expression, zone, moments, country)
        except (opening_hours.ParserError, SyntaxError):
            print("not taken:", expression, file=sys.stderr)
            continue
        print(zone, kind(expression), expression, states, changes, sep="\t")


main()
