"""Reads JSON lines with `text`, `from`, `until` (seconds) and `zone`. Prints for each calendar a sorted JSON list of busy times (seconds).

An end of 0 is unknown."""

import json
import sys
from datetime import datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events


def local(value, zone):
    """Returns a time. A day begins at midnight of `zone`, and a time without a zone is in it."""
    if not isinstance(value, datetime):
        value = datetime.combine(value, time())
    return value if value.tzinfo else value.replace(tzinfo=zone)


def busy(question):
    zone = ZoneInfo(question["zone"])
    calendar = icalendar.Calendar.from_ical(question["text"])
    # A margin for times without a zone.
    first, last = (datetime.fromtimestamp(question[name], timezone.utc) for name in ("from", "until"))
    found = set()
    for event in recurring_ical_events.of(calendar).between(first - timedelta(days=2), last + timedelta(days=2)):
        if event.get("TRANSP") == "TRANSPARENT" or event.get("STATUS") == "CANCELLED":
            continue
        start, end = local(event.start, zone), local(event.end, zone)
        begin, until = int(start.timestamp()), int(end.timestamp())
        if until > question["from"] and begin < question["until"] and until > begin:
            # The library adds a duration of hours to the local time, so its end is wrong if the clocks change meanwhile (RFC 5545, 3.3.6).
            changes = isinstance(event.start, datetime) and start.utcoffset() != end.utcoffset()
            found.add((begin, 0 if changes else until))
    return sorted(found)


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(busy(json.loads(line))))
