"""Due days by python-dateutil: the other side of Tests/BookkeepingTests/RecurrenceTests.swift.

Each line of standard input is one schedule: unit, count, month-end policy, first day, last day, most
occurrences (0 for any number); or a recurrence rule, first day, last day. Each line of output has its due days.
What dateutil has no notion of (the next day) is counted with calendar.monthrange.
"""

import calendar
import datetime
import sys

from dateutil.rrule import DAILY, MONTHLY, WEEKLY, YEARLY, rrule, rrulestr

FREQUENCIES = {"day": DAILY, "week": WEEKLY, "month": MONTHLY, "year": YEARLY}


def rule(unit, count, policy, first, last):
    """The days of a schedule that an rrule says."""
    options = {"dtstart": first, "until": last, "interval": count}
    if unit in ("month", "year") and policy != "skip":
        if policy == "lastDay":
            options["bymonthday"] = -1
        else:
            # Of the days from the 28th to the wanted one, the last that the month has.
            options["bymonthday"] = tuple(range(min(28, first.day), first.day + 1))
            options["bysetpos"] = -1
        if unit == "year":
            options["bymonth"] = first.month
    return rrule(FREQUENCIES[unit], **options)


def next_day(unit, count, first, last):
    """The days of a schedule that goes on to the first of the next month."""
    step = count * (12 if unit == "year" else 1)
    months = first.year * 12 + first.month - 1
    while True:
        year, month = divmod(months, 12)
        length = calendar.monthrange(year, month + 1)[1]
        day = datetime.datetime(year, month + 1, min(first.day, length))
        if first.day > length:
            day += datetime.timedelta(days=1)
        if day > last:
            return
        yield day
        months += step


def main():
    for line in sys.stdin:
        if line.startswith("FREQ="):
            text, first, last = line.split()
            first, last = (datetime.datetime.fromisoformat(day) for day in (first, last))
            days = rrulestr(text, dtstart=first).between(first, last, inc=True)
            print(" ".join(day.date().isoformat() for day in days))
            continue
        unit, count, policy, first, last, most = line.split()
        first, last = (datetime.datetime.fromisoformat(text) for text in (first, last))
        if policy == "nextDay" and unit in ("month", "year"):
            days = next_day(unit, int(count), first, last)
        else:
            days = rule(unit, int(count), policy, first, last)
        days = [day.date().isoformat() for day in days]
        print(" ".join(days[: int(most)] if int(most) else days))


main()
