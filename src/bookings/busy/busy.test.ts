import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { nextMonday, openBookingWorld } from '../../../test/bookings.ts';
import { type Chancery, sharedChancery, type Team } from '../../../test/harness.ts';
import { createAddressPolicy } from '#webhooks';
import { explainSlots } from '../explain.ts';
import { busyTimes } from './busy-times.ts';
import { busyJob } from './jobs.ts';
import { busyAddress, busyTimesOf } from './reader.ts';
import { readBusy, saveBusy } from './service.ts';

let chancery: Chancery;
let team: Team;
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
const read = (text: string, from = '2026-01-01T00:00Z', until = '2027-01-01T00:00Z', zone = 'Europe/Berlin', most = 100) =>
  busyTimes({ text, from: Date.parse(from), until: Date.parse(until), zone, most })
    .toSorted((a, b) => a.from - b.from)
    .map((span) => [new Date(span.from).toISOString().slice(0, 16), new Date(span.until).toISOString().slice(0, 16)]);

test('events are read by the zone they name, repetitions with what is left out and moved', () => {
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
    // Clocks there change on the 8th.
    ['2026-03-09T13:00', '2026-03-09T14:00'],
    ['2026-03-23T19:00', '2026-03-23T20:00'],
  ]);
});

test('whole days and times without a zone are those of the calendar; what is transparent, cancelled or empty is free', () => {
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

test('what is no calendar file, and what has too many events, is refused; what never ends is ended', async () => {
  for (const text of ['', 'hello', '{"a":1}', '<html></html>', 'BEGIN:VCARD\r\nEND:VCARD\r\n', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'])
    assert.throws(() => read(text), /is no calendar file/, text);
  const often = file(event('often', 'DTSTART:20260101T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY'));
  assert.throws(() => read(often), /has more than 100 events/);
  const endless = file(event('endless', 'DTSTART:16010101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY'));
  const question = { text: endless, from: Date.parse('2026-01-01'), until: Date.parse('2027-01-01'), zone: 'UTC', most: 100 };
  await assert.rejects(busyTimesOf(question, 200), /takes too long to be read/);
  const [span] = await busyTimesOf({ ...question, text: file(event('one', 'DTSTART:20260601T000000Z', 'DURATION:PT1H')) }, 20_000);
  assert.deepEqual(span, { from: Date.parse('2026-06-01T00:00Z'), until: Date.parse('2026-06-01T01:00Z') });
});

test('addresses are held to the rules of webhooks; webcal is https', () => {
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

const carryOut = (id: string) =>
  busyJob.run(
    { database: world.database, box: world.bookings.box, reach: world.bookings.reach },
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

test('what is busy elsewhere is not offered, and goes on to count when its address fails; who manages the calendar is told why', async () => {
  const calendar = await world.calendar();
  const url = `${address}/moved.ics`;
  const reading = () => ({ db: world.database.reader(team.id), team: team.id, now: new Date() });
  const [kept] = await world.act((scope) => saveBusy(world.bookings, scope, calendar, [{ name: 'Private', url }]));
  assert.deepEqual(kept, { name: 'Private', url, stale: true });
  const { rows } = await chancery.pool.query('SELECT url FROM calendar_busy WHERE calendar_id = $1', [calendar]);
  assert.ok(!rows[0].url.toString('latin1').includes('127.0.0.1'), 'the address is sealed');
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
  assert.ok(!(await world.free(calendar, day)).includes('10:00'), 'what was read last counts');
  const [shown] = await readBusy(world.bookings.box, reading(), calendar);
  assert.deepEqual([shown?.stale, shown?.error], [true, 'answered 500']);
  const { slots } = await explainSlots(reading(), calendar, { from: day, to: day });
  const because = Object.fromEntries(slots.map((slot) => [slot.start.slice(11, 16), slot.because]));
  assert.deepEqual(because['09:00'], []);
  assert.deepEqual(because['09:30'], [{ kind: 'booking', bookingId }]);
  assert.deepEqual(because['10:00'], [{ kind: 'busy', name: 'Private', stale: true }]);
  served = { status: 200, body: 'a page that asks to sign in' };
  await carryOut(id);
  assert.equal((await readBusy(world.bookings.box, reading(), calendar))[0]?.error, 'is no calendar file');
  await world.act((scope) => saveBusy(world.bookings, scope, calendar, []));
  assert.ok((await world.free(calendar, day)).includes('10:00'), 'with its address it is gone');
});

test('notice and days ahead are reasons to who manages the calendar', async () => {
  const calendar = await world.calendar({ minNoticeMin: 60 * 24 * 30, maxDaysAhead: 1 });
  const { slots } = await explainSlots({ db: world.database.reader(team.id), team: team.id, now: new Date() }, calendar, {
    from: day,
    to: day,
  });
  assert.deepEqual(slots[0]?.because, [{ kind: 'notice' }, { kind: 'too_far' }]);
  assert.deepEqual(await world.free(calendar, day), []);
});
