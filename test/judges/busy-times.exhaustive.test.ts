import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { busyTimes } from '../../src/intake/bookings/busy/busy-times.ts';
import { without } from './pinned.ts';
import { askPython } from './tools.ts';

const from = Date.parse('2026-02-01T00:00Z') / 1_000;
const until = Date.parse('2027-02-01T00:00Z') / 1_000;
const days = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const pad = (number: number) => String(number).padStart(2, '0');
const day = (date: Date) => `${date.getUTCFullYear()}${pad(date.getUTCMonth() + 1)}${pad(date.getUTCDate())}`;
const clock = (date: Date) => `${day(date)}T${pad(date.getUTCHours())}${pad(date.getUTCMinutes())}00`;
const plus = (date: Date, some: number) => new Date(date.getTime() + some * 86_400_000);

/** A kind of time: in a zone, in UTC, without a zone, or a whole day. */
const kinds = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'utc', 'floating', 'day'] as const;
type Kind = (typeof kinds)[number];
const parameter = (kind: Kind) => (kind === 'day' ? ';VALUE=DATE' : kind.includes('/') ? `;TZID=${kind}` : '');
const moment = (kind: Kind, date: Date) => (kind === 'day' ? day(date) : `${clock(date)}${kind === 'utc' ? 'Z' : ''}`);
const line = (name: string, kind: Kind, date: Date) => `${name}${parameter(kind)}:${moment(kind, date)}`;

/** Rules to which the start of the event belongs. The standard leaves other rules undefined. */
function ruleOf(begin: Date): fc.Arbitrary<string> {
  const weekday = days[begin.getUTCDay()] ?? 'MO';
  const date = begin.getUTCDate();
  const nth = Math.ceil(date / 7);
  const others = fc.subarray([...days]).map((some) => [...new Set([weekday, ...some])].join(','));
  return fc.oneof(
    fc.constant('FREQ=DAILY'),
    others.map((some) => `FREQ=DAILY;BYDAY=${some}`),
    others.map((some) => `FREQ=WEEKLY;BYDAY=${some}`),
    others.map((some) => `FREQ=WEEKLY;WKST=SU;BYDAY=${some}`),
    fc.constant('FREQ=WEEKLY'),
    fc.constantFrom(
      'FREQ=MONTHLY',
      `FREQ=MONTHLY;BYMONTHDAY=${date},-1`,
      `FREQ=MONTHLY;BYDAY=${nth}${weekday}`,
      `FREQ=MONTHLY;BYDAY=${weekday};BYSETPOS=${nth}`,
      'FREQ=YEARLY',
      `FREQ=YEARLY;BYMONTH=${begin.getUTCMonth() + 1},7;BYMONTHDAY=${date}`,
    ),
  );
}

const event = (uid: number): fc.Arbitrary<string[]> =>
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      begin: fc.integer({ min: 0, max: 300 * 48 }).map((half) => new Date(Date.parse('2026-01-05T00:00Z') + half * 1_800_000)),
      length: fc.constantFrom(1, 2, 5, 24, 30),
    })
    .chain(({ kind, begin, length }) =>
      fc.record({
        kind: fc.constant(kind),
        begin: fc.constant(begin),
        length: fc.constant(length),
        rule: fc.option(ruleOf(begin)),
        interval: fc.integer({ min: 1, max: 3 }),
        end: fc.oneof(
          fc.constant(''),
          fc.integer({ min: 1, max: 40 }).map((count) => `;COUNT=${count}`),
          fc.integer({ min: 0, max: 200 }).map((some) => {
            const last = plus(begin, some);
            // In a zone, the end of a rule is in UTC (RFC 5545, 3.3.10).
            return `;UNTIL=${kind === 'day' ? day(last) : kind === 'floating' ? clock(last) : `${clock(plus(last, 0.5))}Z`}`;
          }),
        ),
        without: fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 3 }),
        more: fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { maxLength: 2 }),
        moved: fc.boolean(),
        state: fc.constantFrom('', '', '', 'TRANSP:TRANSPARENT', 'STATUS:CANCELLED', 'STATUS:TENTATIVE'),
        byDuration: fc.boolean(),
      }),
    )
    .map(({ kind, begin, length, rule, interval, end, without: gone, more, moved, state, byDuration }) => {
      const whole = kind === 'day' ? Math.ceil(length / 24) : length / 24;
      // Each occurrence lasts as long as the first one if the event has an end (RFC 5545, 3.8.5.3). The Python library repeats the local time of the
      // end instead.
      const isSteady = kind === 'day' || kind === 'utc' || kind === 'Asia/Kolkata';
      const span = (start: Date) =>
        byDuration || !isSteady
          ? kind === 'day'
            ? `DURATION:P${whole}D`
            : `DURATION:PT${length}H`
          : line('DTEND', kind, plus(start, whole));
      const head = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z'];
      const lines = [...head, line('DTSTART', kind, begin), span(begin)];
      if (rule !== null) lines.push(`RRULE:${rule};INTERVAL=${interval}${end}`);
      for (const some of gone) if (some > 0) lines.push(line('EXDATE', kind, plus(begin, some)));
      for (const some of more) if (some > 0) lines.push(line('RDATE', kind, plus(begin, some)));
      if (state !== '') lines.push(state);
      lines.push('END:VEVENT');
      if (moved && rule !== null) {
        const other = plus(begin, 400 / 24 / 24);
        const start = kind === 'day' ? plus(begin, 3) : other;
        lines.push(...head, line('RECURRENCE-ID', kind, begin), line('DTSTART', kind, start), span(start), 'END:VEVENT');
      }
      return lines;
    });
const calendar = fc
  .tuple(event(1), event(2), event(3))
  .map((events) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n'));

test('icalendar and recurring-ical-events find the same busy times in random calendars', { skip: without('icalendar') }, async () => {
  const texts = fc.sample(calendar, { numRuns: 400, seed: 20261130 });
  const zones = ['Europe/Berlin', 'America/New_York', 'UTC'];
  const questions = texts.map((text, at) => ({ text, from, until, zone: zones[at % zones.length] ?? 'UTC' }));
  const folder = await mkdtemp(join(tmpdir(), 'chancery-calendars-'));
  try {
    const path = join(folder, 'calendars.jsonl');
    await writeFile(path, questions.map((one) => JSON.stringify(one)).join('\n'));
    const answers = await askPython('icalendar', 'busy_times.py', [path]);
    let found = 0;
    for (const [at, { text, zone }] of questions.entries()) {
      const { spans, skipped } = busyTimes({ text, from: from * 1_000, until: until * 1_000, zone, most: 5_000 });
      const shown = (times: number[][]) =>
        times.map((pair) => pair.map((one) => new Date(one * 1_000).toISOString().slice(0, 16)).join('/'));
      const expected: [number, number][] = JSON.parse(answers[at] ?? '');
      const unknown = new Set(expected.filter(([, end]) => end === 0).map(([begin]) => begin));
      const own = spans.map((span) => [span.from / 1_000, unknown.has(span.from / 1_000) ? 0 : span.until / 1_000]);
      assert.deepEqual([[...new Set(shown(own))].toSorted(), skipped], [[...new Set(shown(expected))].toSorted(), []], `${zone}\n${text}`);
      found += spans.length;
    }
    assert.ok(found > 10_000, String(found));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
