#!/usr/bin/env python3
"""What another implementation says of opening hours that venues write: the table for `hours.test.js`.

    pip install opening_hours_py==2.1.4
    opening-hours-answers.py > opening-hours-answers.txt

A line for each expression and period, its columns parted by tabs: the expression, the beginning of the period (local time), the
state at the beginning (o, c, u), and the changes of the next 15 days with the states that follow, or '-' for none: `Thu 01 10:00 o`
is written as minutes since the beginning, `600o`. Then comes the first change after these days, if there is one within a year.
"""
from datetime import datetime, timedelta

import opening_hours

TEXTS = [
    "Mo-Su 10:00-20:30", "Mo-Fr 09:00-18:00; Sa 10:00-14:00", "24/7", "Mo-Su 10:00-21:00; Jan 01 off", "Fr-Sa 18:00-02:00",
    "Mo-Fr 11:00-14:00,17:00-22:00", "Tu-Su 10:00-19:00; We off", "Mo-Su 07:00-24:00", "Sa-Mo 08:00-12:00",
    "Mo,We,Fr 08:00-12:00,13:00-17:30", "Dec 25-Jan 03 off", "Mo-Su 10:00-20:00; Dec 25-Jan 03 off", "10:00-19:00",
    "Jun-Aug: Mo-Su 09:00-21:00; Sep-May: Mo-Fr 09:00-17:00", "Mo-Fr 09:00-17:00; Tu 10:00-12:00", "Su 22:00-26:00",
    "Mo-Fr 08:00-20:00, Sa 09:00-13:00", "Mo-Su 00:00-24:00; Su 12:00-14:00 off", "off", "Th-Tu 11:00-23:00",
    "week 1-10 Mo 10:00-12:00", "Mo[1] 10:00-12:00", "SH off",
]
PERIODS = [datetime(2026, 1, 1), datetime(2026, 3, 2), datetime(2026, 6, 10), datetime(2026, 12, 17)]
DAYS = timedelta(days=15)

for text in TEXTS:
    hours = opening_hours.OpeningHours(text)
    for start in PERIODS:
        state = lambda moment: str(hours.state(moment)[0]).lower()[0]
        changes, moment = [], start
        while (moment := hours.next_change(moment)) and moment - start < timedelta(days=365):
            changes.append(f"{int((moment - start).total_seconds() // 60)}{state(moment)}")
            if moment - start > DAYS:
                break
        print(text, f"{start:%Y-%m-%dT%H:%M}", state(start), " ".join(changes) or "-", sep="\t")
