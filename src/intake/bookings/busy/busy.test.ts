import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { nextMonday, openBookingWorld } from '../../../../test/bookings.ts';
import { type Chancery, sharedChancery, type TestTeam } from '../../../../test/harness.ts';
import { createAddressPolicy } from '#webhooks';
import { explainSlots } from '../explain.ts';
import { busyTimes } from './busy-times.ts';
import { busyJob } from './jobs.ts';
import { busyAddress, busyTimesOf } from './reader.ts';
import { readBusy, saveBusy } from './service.ts';

let chancery: Chancery;
let team: TestTeam;
let world: Awaited<ReturnType<typeof openBookingWorld>>;
let server: Server;
let served: { status: number; headers?: Record<string, string>; body: string } = { status: 200, body: '' };
let address: string;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  world = await openBookingWorld(chancery, team.id);
  server = createServer((request, response) => {
    if (request.url === '/moved.ics') response.writeHead(302, { location: '/busy.ics' }).end();
    else response.writeHead(served.status, { 'content-type': 'text/calendar', ...served.headers }).end(served.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.close();
  await world.close();
});

const day = nextMonday();
const at = (time: string) => `${day}T${time}:00.000Z`;
const stamp = (time: string) => at(time).replaceAll(/[-:]|\.000/g, '');
const file = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
const event = (uid: string, ...lines: string[]) => [`UID:${uid}`, 'DTSTAMP:20260101T000000Z', ...lines];
const whole = (text: string, from = '2026-01-01T00:00Z', until = '2027-01-01T00:00Z', zone = 'Europe/Berlin', most = 100) =>
  busyTimes({ text, from: Date.parse(from), until: Date.parse(until), zone, most });
const read = (...query: Parameters<typeof whole>) =>
  whole(...query)
    .spans.toSorted((a, b) => a.from - b.from)
    .map((span) => [new Date(span.from).toISOString().slice(0, 16), new Date(span.until).toISOString().slice(0, 16)]);

test('events use the zone that they name, and recurrences honour excluded and moved occurrences', () => {
  const weekly = event(
    'weekly',
    'DTSTART;TZID=America/New_York:20260302T090000',
    'DTEND;TZID=America/New_York:20260302T100000',
    'RRULE:FREQ=WEEKLY;UNTIL=20260323T130000Z',
    'EXDATE;TZID=America/New_York:20260316T090000',
  );
  const moved = event(
    'weekly',
    'RECURRENCE-ID;TZID=America/New_York:20260323T090000',
    'DTSTART;TZID=America/New_York:20260323T150000',
    'DTEND;TZID=America/New_York:20260323T160000',
  );
  assert.deepEqual(read(file(weekly, moved)), [
    ['2026-03-02T14:00', '2026-03-02T15:00'],
    // In New York, the clocks change on the 8th.
    ['2026-03-09T13:00', '2026-03-09T14:00'],
    ['2026-03-23T19:00', '2026-03-23T20:00'],
  ]);
});

test('all-day events and times without a zone use the zone of the calendar; transparent, cancelled and empty events are free', () => {
  const text = file(
    event('day', 'DTSTART;VALUE=DATE:20260704', 'DTEND;VALUE=DATE:20260706'),
    event('floating', 'DTSTART:20260710T090000', 'DURATION:PT30M'),
    event('utc', 'DTSTART:20260711T090000Z', 'DTEND:20260711T093000Z'),
    event('free', 'DTSTART:20260712T090000Z', 'DTEND:20260712T100000Z', 'TRANSP:TRANSPARENT'),
    event('gone', 'DTSTART:20260713T090000Z', 'DTEND:20260713T100000Z', 'STATUS:CANCELLED'),
    event('moment', 'DTSTART:20260714T090000Z'),
    event('unknown', 'DTSTART;TZID=Customized:20260715T090000', 'DTEND;TZID=Customized:20260715T100000'),
  ).replace(
    'BEGIN:VEVENT',
    'BEGIN:VTIMEZONE\r\nTZID:Customized\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT',
  );
  assert.deepEqual(read(text), [
    ['2026-07-03T22:00', '2026-07-05T22:00'],
    ['2026-07-10T07:00', '2026-07-10T07:30'],
    ['2026-07-11T09:00', '2026-07-11T09:30'],
    ['2026-07-15T06:00', '2026-07-15T07:00'],
  ]);
});

test('a file is rejected if it is not a calendar or has too many events', async () => {
  for (const text of ['', 'hello', '{"a":1}', '<html></html>', 'BEGIN:VCARD\r\nEND:VCARD\r\n', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'])
    assert.throws(() => read(text), /is not a calendar file/, text);
  const often = event('often', 'DTSTART:20260101T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY');
  const { spans: others, skipped } = whole(file(often, event('one', 'DTSTART:20260601T000000Z', 'DURATION:PT1H')));
  assert.deepEqual([others.length, skipped.map(({ reason }) => reason)], [2, ['has more than 100 events in the booking period']]);
  const many = Array.from({ length: 101 }, (_, place) => event(`one${place}`, 'DTSTART:20260601T000000Z', 'DURATION:PT1H'));
  assert.throws(() => read(file(...many)), /has more than 100 events/);
  const question = { text: '', from: Date.parse('2026-01-01'), until: Date.parse('2027-01-01'), zone: 'UTC', most: 100 };
  const { spans } = await busyTimesOf({ ...question, text: file(event('one', 'DTSTART:20260601T000000Z', 'DURATION:PT1H')) });
  assert.deepEqual(spans[0], { from: Date.parse('2026-06-01T00:00Z'), until: Date.parse('2026-06-01T01:00Z') });
});

const calendarOf = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const times = (text: string) =>
  read(text, '2026-11-01T00:00Z', '2027-03-01T00:00Z').map(([from = '', until = '']) => `${from.slice(5)}/${until.slice(5)}`);

test('zones are those of the zone database, of Windows, behind a prefix of a program, or of the file; others are reported', () => {
  const zoned = (parameters: string) =>
    times(file(event('a', `DTSTART${parameters}:20261207T090000`, `DTEND${parameters}:20261207T100000`)));
  for (const [parameters, expected] of [
    [';TZID=Pacific Standard Time', '12-07T17:00/12-07T18:00'],
    [';TZID="W. Europe Standard Time"', '12-07T08:00/12-07T09:00'],
    [';TZID=America/New_York;VALUE=DATE-TIME', '12-07T14:00/12-07T15:00'],
    [';VALUE=DATE-TIME;TZID="America/New_York"', '12-07T14:00/12-07T15:00'],
    [';TZID=/mozilla.org/20050126_1/America/Argentina/Buenos_Aires', '12-07T12:00/12-07T13:00'],
    [';TZID=/freeassociation.sourceforge.net/Europe/Berlin', '12-07T08:00/12-07T09:00'],
    ['', '12-07T08:00/12-07T09:00'],
  ] as const)
    assert.deepEqual(zoned(parameters), [expected], parameters);
  const unknown = ['(UTC+01:00) Amsterdam, Berlin', 'Customized Time Zone', 'GMT+0100'];
  for (const name of unknown) {
    const { spans, skipped } = whole(
      file(event('a', `DTSTART;TZID=${name}:20261207T090000`, 'SUMMARY:Court'), event('b', 'DTSTART:20261208T090000Z', 'DURATION:PT1H')),
    );
    assert.deepEqual(
      [spans.length, skipped],
      [1, [{ reason: `names the time zone “${name}”, which is unknown`, summary: 'Court', start: '20261207T090000' }]],
    );
  }
  const described = ['STANDARD', 'DAYLIGHT'].flatMap((kind, place) => [
    `BEGIN:${kind}`,
    `DTSTART:1601${place === 0 ? '1028T030000' : '0325T020000'}`,
    `TZOFFSETFROM:+0${2 - place}00`,
    `TZOFFSETTO:+0${1 + place}00`,
    `RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=${place === 0 ? 10 : 3}`,
    `END:${kind}`,
  ]);
  const own = calendarOf(
    'BEGIN:VTIMEZONE',
    'TZID:(UTC+01:00) Amsterdam',
    ...described,
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTART;TZID=(UTC+01:00) Amsterdam:20261207T090000',
    'DTEND;TZID=(UTC+01:00) Amsterdam:20261207T100000',
    'END:VEVENT',
  );
  assert.deepEqual(times(own), ['12-07T08:00/12-07T09:00']);
});

test('files are read as common programs write them, event by event', () => {
  const fixture = (name: string) =>
    times(readFileSync(new URL(`../../../../test/fixtures/calendars/${name}.ics`, import.meta.url), 'utf8'));
  const berlin = (...days: string[]) => days.map((date) => `${date}T14:00/${date}T15:00`);
  assert.deepEqual(fixture('allday-same-end'), ['12-06T23:00/12-07T23:00']);
  assert.deepEqual(fixture('badline'), ['12-07T09:00/12-07T10:00']);
  assert.deepEqual(fixture('orphan-override'), [
    ...['12-01', '12-08', '12-15'].map((date) => `${date}T08:00/${date}T09:00`),
    '01-07T08:00/01-07T09:00',
  ]);
  assert.deepEqual(fixture('rdate-only'), berlin('12-01', '12-03', '12-05'));
  assert.deepEqual(fixture('rdate-period'), ['12-01T15:00/12-01T16:00', '12-03T15:00/12-03T18:00', '12-05T15:00/12-05T15:30']);
  assert.deepEqual(fixture('recid-otherzone'), [...berlin('12-01'), '12-09T16:00/12-09T17:00', ...berlin('12-15')]);
  assert.deepEqual(fixture('twocals').toSorted(), berlin('12-01', '12-01', '12-02', '12-03', '12-04', '12-15').toSorted());
  assert.deepEqual(fixture('tzid-first'), ['12-07T14:00/12-07T15:00']);
  assert.deepEqual(fixture('until-date'), berlin('12-01', '12-02', '12-03', '12-04'));
  assert.deepEqual(fixture('vfreebusy'), ['12-07T09:00/12-07T10:00', '12-08T09:00/12-08T10:00']);
  assert.deepEqual(fixture('win-no-vtz'), ['12-07T17:00/12-07T18:00']);
  // All-day values without VALUE=DATE, and an exception that names a day.
  assert.deepEqual(times(file(event('a', 'DTSTART:20261207', 'DTEND:20261208'))), ['12-06T23:00/12-07T23:00']);
  const daily = event('a', 'DTSTART:20261207T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261208');
  assert.deepEqual(times(file(daily)), ['12-07T09:00/12-07T10:00', '12-09T09:00/12-09T10:00']);
  const later = event('a', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20261208T090000Z', 'DTSTART:20261208T110000Z', 'DURATION:PT2H');
  assert.deepEqual(
    new Set(times(file(event('a', 'DTSTART:20261207T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'), later))),
    new Set(['12-07T09:00/12-07T10:00', '12-08T11:00/12-08T13:00', '12-09T11:00/12-09T13:00']),
  );
});

test('an event that cannot be read is reported with the reason, and the others apply', () => {
  const good = event('good', 'DTSTART:20261201T090000Z', 'DURATION:PT1H');
  for (const [lines, reason, spans] of [
    [['DTSTART:20261301T090000Z', 'DURATION:PT1H'], /time that does not exist/, 1],
    [['DTSTART:soon', 'DURATION:PT1H'], /time that cannot be read/, 1],
    [['SUMMARY:Nothing'], /has no start/, 1],
    [['DTSTART:20261202T090000Z', 'DTEND:20261202T080000Z'], /ends before it begins/, 1],
    [['DTSTART:20261202T090000Z', 'DURATION:soon'], /duration that cannot be read/, 1],
    // The readable part of a recurring event still applies.
    [['DTSTART:20261202T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=SOMETIMES'], /rule that cannot be read/, 2],
    [['DTSTART:20261202T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:soon'], /time that cannot be read/, 3],
  ] as const) {
    const found = whole(file(event('bad', ...lines), good));
    assert.deepEqual([found.spans.length, found.skipped.length], [spans, 1], lines.join());
    assert.match(found.skipped[0]?.reason ?? '', reason);
  }
  const many = whole(file(...Array.from({ length: 30 }, (_, place) => event(`bad${place}`, 'DTSTART:soon'))));
  assert.equal(many.skipped.length, 20);
  // Events missing from a truncated file would appear as free time.
  assert.throws(() => read(file(good).slice(0, -30)), /is not a calendar file, or is incomplete/);
});

test('long series are read from the requested time on, and a series that never ends is skipped alone', async () => {
  const text = readFileSync(new URL('../../../../test/fixtures/calendars/pi5.ics', import.meta.url), 'utf8');
  const question = { text, from: Date.parse('2026-12-07'), until: Date.parse('2026-12-12'), zone: 'UTC', most: 5_000 };
  const { spans, skipped } = await busyTimesOf(question, { seriesCpuMs: 2_000, fileCpuMs: 4_000, tries: 1 });
  // Four series on working days, and one on each day.
  assert.deepEqual([spans.length, skipped], [25, []]);
  const endless = event(
    'endless',
    'DTSTART:19000101T000000Z',
    'DURATION:PT1S',
    'RRULE:FREQ=SECONDLY;INTERVAL=7;COUNT=900000000',
    'SUMMARY:Endless',
  );
  const good = event('good', 'DTSTART:20261208T090000Z', 'DURATION:PT1H');
  const found = await busyTimesOf({ ...question, text: file(endless, good) });
  assert.deepEqual(found.spans, [{ from: Date.parse('2026-12-08T09:00Z'), until: Date.parse('2026-12-08T10:00Z') }]);
  assert.deepEqual(found.skipped, [{ reason: 'takes too long to be read', summary: 'Endless', start: '19000101T000000Z' }]);
  const five = file(...Array.from({ length: 5 }, (_, place) => [`UID:endless${place}`, ...endless.slice(1)]), good);
  await assert.rejects(busyTimesOf({ ...question, text: five }), /takes too long to be read/);
});

test('busy-time addresses follow the address rules of webhooks; webcal becomes https', () => {
  const policy = createAddressPolicy({ allowPrivate: false, allowCidrs: [] });
  assert.deepEqual(busyAddress('webcal://calendar.example/a.ics', policy), { url: 'https://calendar.example/a.ics' });
  for (const refused of [
    'http://calendar.example/a.ics',
    'https://127.0.0.1/a.ics',
    'https://localhost/a',
    'file:///etc/passwd',
    'https://u:p@calendar.example/',
  ])
    assert.ok('reason' in busyAddress(refused, policy), refused);
});

function unwrap<T>(found: T | undefined): T {
  assert.ok(found !== undefined);
  return found;
}
const carryOut = (id: string, recipients: readonly { email: string; locale: string }[] = []) =>
  busyJob.run(
    {
      database: world.database,
      box: world.bookings.box,
      reach: world.bookings.reach,
      ask: { about: async (...query) => ({ ...unwrap(await world.bookings.ask.about(...query)), recipients }) },
    },
    { id },
    {
      id: '',
      team: team.id,
      attempt: 1,
      signal: new AbortController().signal,
    },
  );
const idOf = async (calendar: string) =>
  (await chancery.pool.query('SELECT id FROM calendar_busy WHERE calendar_id = $1', [calendar])).rows[0].id as string;

test('busy times are not offered and still apply when their address fails; managers see the reason', async () => {
  const calendar = await world.calendar();
  const url = `${address}/moved.ics`;
  const reading = () => ({ db: world.database.reader(team.id), team: team.id, now: new Date() });
  const [kept] = await world.act((scope) => saveBusy(world.bookings, scope, calendar, [{ name: 'Private', url }]));
  assert.deepEqual(kept, { name: 'Private', url, stale: true });
  const { rows } = await chancery.pool.query('SELECT url FROM calendar_busy WHERE calendar_id = $1', [calendar]);
  assert.ok(!rows[0].url.toString('latin1').includes('127.0.0.1'), 'the address is encrypted');
  served = { status: 200, body: file(event('a', `DTSTART:${stamp('10:00')}`, `DTEND:${stamp('11:00')}`)) };
  const id = await idOf(calendar);
  await carryOut(id);
  const free = await world.free(calendar, day);
  assert.deepEqual(
    ['09:30', '10:00', '10:30', '11:00'].filter((time) => free.includes(time)),
    ['09:30', '11:00'],
  );
  await assert.rejects(world.book({ calendar, start: at('10:30') }), { code: 'slot_taken' });
  const { bookingId } = await world.book({ calendar, start: at('09:30') });
  served = { status: 500, body: '' };
  await carryOut(id);
  await chancery.pool.query("UPDATE calendar_busy SET read_at = now() - interval '2 hours' WHERE id = $1", [id]);
  assert.ok(!(await world.free(calendar, day)).includes('10:00'), 'the last busy times apply');
  const [shown] = await readBusy(world.bookings.box, reading(), calendar);
  assert.deepEqual([shown?.stale, shown?.error], [true, 'responds with status 500']);
  const { slots } = await explainSlots(reading(), calendar, { from: day, to: day });
  const because = Object.fromEntries(slots.map((slot) => [slot.start.slice(11, 16), slot.because]));
  assert.deepEqual(because['09:00'], []);
  assert.deepEqual(because['09:30'], [{ kind: 'booking', bookingId }]);
  assert.deepEqual(because['10:00'], [{ kind: 'busy', name: 'Private', stale: true }]);
  served = { status: 200, body: 'a page that asks to sign in' };
  await carryOut(id);
  assert.equal((await readBusy(world.bookings.box, reading(), calendar))[0]?.error, 'is not a calendar file, or is incomplete');
  await world.act((scope) => saveBusy(world.bookings, scope, calendar, []));
  assert.ok((await world.free(calendar, day)).includes('10:00'), 'removing the address removes its busy times');
});

test('the owner of a calendar gets one mail about unreadable events, and the address shows them', async () => {
  const calendar = await world.calendar();
  const url = `${address}/skipped.ics`;
  served = {
    status: 200,
    body: file(
      event('a', 'DTSTART;TZID=Nowhere:20261207T090000', 'SUMMARY:Hearing https://evil.example'),
      event('b', `DTSTART:${stamp('10:00')}`, `DTEND:${stamp('11:00')}`),
    ),
  };
  await world.act((scope) => saveBusy(world.bookings, scope, calendar, [{ name: 'Court', url }]));
  const id = await idOf(calendar);
  const owner = { email: `owner-${calendar}@example.org`, locale: 'en' };
  const mails = async () =>
    (await chancery.pool.query('SELECT subject, text_body FROM mail_message WHERE recipient = $1', [owner.email])).rows;
  await carryOut(id, [owner]);
  await carryOut(id, [owner]);
  const [shown] = await readBusy(world.bookings.box, { db: world.database.reader(team.id), team: team.id, now: new Date() }, calendar);
  const reason = 'names the time zone “Nowhere”, which is unknown';
  assert.deepEqual(shown?.skipped, [{ reason, summary: 'Hearing https://evil.example', start: '20261207T090000' }]);
  assert.ok(!(await world.free(calendar, day)).includes('10:00'), 'the other event still applies');
  const sent = await mails();
  assert.equal(sent.length, 1);
  assert.match(sent[0].subject, /Events that could not be read: Court/);
  assert.ok(sent[0].text_body.includes(reason) && !sent[0].text_body.includes('https://evil.example'), sent[0].text_body);
  served = { status: 200, body: file(event('b', `DTSTART:${stamp('10:00')}`, `DTEND:${stamp('11:00')}`)) };
  await carryOut(id, [owner]);
  assert.equal(
    (await readBusy(world.bookings.box, { db: world.database.reader(team.id), team: team.id, now: new Date() }, calendar))[0]?.skipped,
    undefined,
  );
  assert.equal((await mails()).length, 1);
});

test('the owner of a calendar gets one mail about an unreadable file, and none about an unreachable server', async () => {
  const calendar = await world.calendar();
  served = { status: 200, body: 'a page that asks to sign in' };
  await world.act((scope) => saveBusy(world.bookings, scope, calendar, [{ name: 'Court', url: `${address}/page.ics` }]));
  const id = await idOf(calendar);
  const owner = { email: `owner-${calendar}@example.org`, locale: 'en' };
  const mails = async () =>
    (await chancery.pool.query('SELECT subject, text_body FROM mail_message WHERE recipient = $1', [owner.email])).rows;
  await carryOut(id, [owner]);
  await carryOut(id, [owner]);
  const [shown] = await readBusy(world.bookings.box, { db: world.database.reader(team.id), team: team.id, now: new Date() }, calendar);
  assert.equal(shown?.error, 'is not a calendar file, or is incomplete');
  const sent = await mails();
  assert.deepEqual(
    sent.map(({ subject }) => subject),
    ['Calendar file that could not be read: Court'],
  );
  assert.match(sent[0].text_body, /it is not a calendar file, or is incomplete\./);
  served = { status: 500, body: '' };
  await carryOut(id, [owner]);
  assert.equal((await mails()).length, 1);
});

test('managers see minimum notice and maximum days ahead as reasons', async () => {
  const calendar = await world.calendar({ minNoticeMin: 60 * 24 * 30, maxDaysAhead: 1 });
  const { slots } = await explainSlots({ db: world.database.reader(team.id), team: team.id, now: new Date() }, calendar, {
    from: day,
    to: day,
  });
  assert.deepEqual(slots[0]?.because, [{ kind: 'notice' }, { kind: 'too_far' }]);
  assert.deepEqual(await world.free(calendar, day), []);
});
