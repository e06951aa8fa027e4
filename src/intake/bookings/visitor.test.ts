import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beginBooking, nextMonday, openBookingWorld, plainCalendar } from '../../../test/bookings.ts';
import { type Chancery, sharedChancery, type TestTeam } from '../../../test/harness.ts';
import type { Booked } from './book.ts';
import { saveCalendar, setAccepting } from './calendars.ts';
import { rescheduleBooking } from './change.ts';
import { confirmBooking, declineBooking, expireBooking, missedBooking } from './decide.ts';

let chancery: Chancery;
let team: TestTeam;
let world: Awaited<ReturnType<typeof openBookingWorld>>;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  world = await openBookingWorld(chancery, team.id);
});
after(async () => {
  await world.close();
});

const day = nextMonday();
const at = (time: string) => `${day}T${time}:00.000Z`;
const path = ({ manageToken }: Pick<Booked, 'manageToken'>, verb = '') => `/api/v1/interfaces/booking/${team.id}/${manageToken}${verb}`;
const get = (booked: Booked, verb = '') => chancery.call('GET', path(booked, verb));
const post = (booked: Booked, verb: string, body?: unknown) =>
  chancery.call('POST', path(booked, verb), body === undefined ? {} : { body });
const move = (booked: Booked, time: string, end?: string) =>
  post(booked, '/reschedule', { start: at(time), ...(end === undefined ? {} : { end: at(end) }) });
const refusal = ({ status, body }: Awaited<ReturnType<typeof post>>) => [status, body.code];
const bookAt = async (time: string, members = {}, visitor = {}) => {
  const calendar = await world.calendar(members);
  return { calendar, booked: await world.book({ calendar, start: at(time), visitor: { locale: 'de', ...visitor } }) };
};
/** Returns whether the visitor can cancel and move a booking, and the number of offered times. */
const movesOffered = async (booked: Booked) => {
  const { body } = await get(booked);
  const { slots } = (await get(booked, `/availability?from=${day}&to=${day}`)).body;
  return { may: [body.mayCancel, body.mayReschedule], slots: slots.length };
};
const entries = async (id: string) =>
  (await chancery.pool.query('SELECT type, actor_type, data FROM audit_entry WHERE target_id = $1 ORDER BY id', [id])).rows;

test('a booking is read by its link with times in both zones, and every wrong link gets the same 404', async () => {
  const { booked } = await bookAt(
    '10:00',
    { timeZone: 'Europe/Berlin', weekly: { mon: [['00:00', '24:00']] }, changeUntilMin: 60 },
    { timeZone: 'Asia/Kolkata' },
  );
  const { status, body, headers } = await get(booked);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  const offset = body.localStart.slice(-6);
  assert.match(body.localStart, /T1[12]:00:00\+0[12]:00$/);
  assert.deepEqual(body, {
    bookingId: booked.bookingId,
    status: 'confirmed',
    start: at('10:00'),
    end: at('10:30'),
    localStart: `${day}T${offset === '+01:00' ? '11' : '12'}:00:00${offset}`,
    timeZone: 'Europe/Berlin',
    visitorTimeZone: 'Asia/Kolkata',
    durationMin: 30,
    mayCancel: true,
    mayReschedule: true,
    changeUntil: at('09:00'),
    icsUrl: `http://localhost:8080${path(booked)}/calendar.ics`,
  });
  const other = await chancery.team();
  for (const wrong of [
    `/api/v1/interfaces/booking/${team.id}/${'a'.repeat(43)}`,
    `/api/v1/interfaces/booking/${other.id}/${booked.manageToken}`,
    `/api/v1/interfaces/booking/nobody/${booked.manageToken}`,
    `/api/v1/interfaces/booking/${team.id}/${booked.bookingId}`,
  ]) {
    const slots = `/availability?from=${day}&to=${day}`;
    const start = { body: { start: at('11:00') } };
    for (const refused of [
      await chancery.call('GET', wrong),
      await chancery.call('GET', `${wrong}/calendar.ics`),
      await chancery.call('GET', `${wrong}${slots}`),
      await chancery.call('POST', `${wrong}/cancel`),
      await chancery.call('POST', `${wrong}/confirm`),
      await chancery.call('POST', `${wrong}/reschedule`, start),
    ]) {
      assert.deepEqual(refusal(refused), [404, 'booking_not_found']);
      assert.ok(!refused.text.includes(wrong.split('/').at(-1) ?? ''), 'the response does not repeat the token');
    }
  }
  await chancery.pool.query("UPDATE team SET status = 'closed' WHERE team_id = $1", [team.id]);
  assert.deepEqual(refusal(await get(booked)), [404, 'booking_not_found'], 'the team is closed');
  await chancery.pool.query("UPDATE team SET status = 'active' WHERE team_id = $1", [team.id]);
});

test('a booking keeps its length when the calendar changes', async () => {
  const { calendar, booked } = await bookAt('10:00');
  await world.act((scope) =>
    saveCalendar(scope, calendar, { ...plainCalendar, durationMin: 60 }, { requireBookingAccess: () => undefined }),
  );
  const { body } = await get(booked);
  assert.deepEqual([body.start, body.end, body.durationMin], [at('10:00'), at('10:30'), 30]);
});

test('the calendar file has the booking without its management link', async () => {
  const { booked } = await bookAt('10:00');
  const { status, headers, text } = await get(booked, '/calendar.ics');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/calendar; charset=utf-8');
  const stamp = at('10:00').replaceAll(/[-:]|\.000/g, '');
  assert.match(text, new RegExp(`^BEGIN:VCALENDAR\r\n[^]*DTSTART:${stamp}\r\n`));
  assert.match(text, new RegExp(`UID:${booked.bookingId}@localhost\r\n`));
  assert.ok(!text.replaceAll('\r\n ', '').includes(booked.manageToken));
  await post(booked, '/cancel');
  const cancelled = (await get(booked, '/calendar.ics')).text;
  assert.match(cancelled, /STATUS:CANCELLED\r\n/);
  assert.match(cancelled, /SEQUENCE:2\r\n/);
});

test('a visitor cancels once before the deadline, even if the form is closed; the journal has the visitor without the address', async () => {
  const { booked, calendar } = await bookAt('10:00', {}, { email: 'grace@example.org', name: 'Grace Hopper' });
  await world.act((scope) => setAccepting(scope, calendar, false));
  assert.deepEqual(refusal(await move(booked, '11:00')), [410, 'interface_closed']);
  const cancelled = await post(booked, '/cancel');
  assert.deepEqual([cancelled.status, cancelled.body.success, cancelled.body.status], [200, true, 'cancelled']);
  assert.deepEqual(refusal(await post(booked, '/cancel')), [409, 'already_cancelled']);
  assert.deepEqual(refusal(await move(booked, '11:00')), [409, 'already_cancelled']);
  assert.deepEqual(refusal(await post(booked, '/confirm')), [409, 'already_cancelled']);
  const found = await entries(booked.bookingId);
  assert.deepEqual(
    found.map(({ type, actor_type: actor }) => [type, actor]),
    [
      ['booking.created', 'system'],
      ['booking.cancelled', 'visitor'],
    ],
  );
  assert.ok(!/grace|hopper/i.test(JSON.stringify(found)));
  const late = await bookAt('10:00', { changeUntilMin: 60 * 24 * 60 });
  assert.deepEqual(refusal(await post(late.booked, '/cancel')), [409, 'too_late']);
  assert.deepEqual(refusal(await move(late.booked, '11:00')), [409, 'too_late']);
  assert.deepEqual(await movesOffered(late.booked), { may: [false, false], slots: 0 });
  const past = await bookAt('10:00');
  await beginBooking(chancery, past.booked.bookingId);
  assert.deepEqual(refusal(await post(past.booked, '/cancel')), [409, 'booking_past']);
  assert.deepEqual(refusal(await move(past.booked, '11:00')), [409, 'booking_past']);
  assert.deepEqual(refusal(await post(past.booked, '/confirm')), [409, 'booking_past']);
});

test('a booking moves only to a free offered slot, at most ten times, and a failed move keeps its time', async () => {
  const { booked, calendar } = await bookAt('10:00', { maxPerAddress: 5 });
  await world.book({ calendar, start: at('12:00') });
  assert.deepEqual(refusal(await move(booked, '12:00')), [409, 'slot_taken']);
  assert.deepEqual(refusal(await move(booked, '12:10')), [422, 'slot_not_offered']);
  assert.deepEqual(refusal(await move(booked, '20:00')), [422, 'slot_not_offered']);
  assert.deepEqual(refusal(await move(booked, '11:00', '12:00')), [422, 'slot_not_offered']);
  assert.deepEqual(refusal(await post(booked, '/reschedule', { start: `${day}T11:00:00` })), [422, 'slot_not_offered']);
  assert.deepEqual(refusal(await post(booked, '/reschedule', {})), [400, 'validation_failed']);
  assert.equal((await get(booked)).body.start, at('10:00'));
  const same = await move(booked, '10:00');
  assert.deepEqual([same.status, same.body.success, same.body.start], [200, true, at('10:00')]);
  for (let n = 0; n < 10; n += 1) {
    const time = n % 2 === 0 ? '11:00' : '10:00';
    const { status, body } = await move(booked, time, n % 2 === 0 ? '11:30' : '10:30');
    assert.deepEqual([status, body.start], [200, at(time)]);
  }
  assert.deepEqual(refusal(await move(booked, '13:00')), [409, 'reschedule_limit']);
  assert.deepEqual(await movesOffered(booked), { may: [true, false], slots: 0 });
  const moved = (await entries(booked.bookingId)).filter(({ type }) => type === 'booking.rescheduled');
  assert.equal(moved.length, 10);
  assert.deepEqual([moved[0].data.start, moved[0].data.previousStart], [at('11:00'), at('10:00')]);
});

test('the slots for a move count the time of the booking as free, and the range is validated', async () => {
  const { booked } = await bookAt('10:00', { bufferBeforeMin: 30 });
  const list = async (query: string) => get(booked, `/availability?${query}`);
  const starts = (await list(`from=${day}&to=${day}`)).body.slots.map(({ start }: any) => start.slice(11, 16));
  assert.ok(starts.includes('10:00') && starts.includes('10:30'));
  assert.deepEqual(refusal(await list(`from=${day}&to=2020-01-01`)), [400, 'validation_failed']);
  assert.deepEqual(refusal(await list(`from=${day}`)), [400, 'validation_failed']);
});

test('if the team confirms by hand, a booking keeps its old time until the new one is confirmed', async () => {
  const { booked, calendar } = await bookAt('10:00', { confirmation: 'manual' });
  assert.equal(booked.status, 'pending');
  assert.ok(!(await world.free(calendar, day)).includes('10:00'), 'a pending booking keeps its slot');
  await world.act((scope) => confirmBooking(scope, booked.bookingId));
  const requested = await move(booked, '11:00');
  assert.deepEqual([requested.body.start, requested.body.requestedStart], [at('10:00'), at('11:00')]);
  const free = await world.free(calendar, day);
  assert.ok(!free.includes('10:00') && !free.includes('11:00'), 'both times are reserved');
  assert.deepEqual((await get(booked)).body.requested, { start: at('11:00'), end: at('11:30') });
  await move(booked, '12:00');
  assert.ok((await world.free(calendar, day)).includes('11:00'), 'a new request replaces the previous one');
  await world.act((scope) => confirmBooking(scope, booked.bookingId));
  assert.equal((await get(booked)).body.start, at('12:00'));
  assert.ok((await world.free(calendar, day)).includes('10:00'));
  await move(booked, '13:00');
  await world.act((scope) => declineBooking(scope, { id: booked.bookingId, reason: 'Away' }));
  assert.deepEqual([(await get(booked)).body.start, (await get(booked)).body.requested], [at('12:00'), undefined]);
  await move(booked, '13:00');
  await post(booked, '/cancel');
  assert.equal((await world.free(calendar, day)).length, 16, 'cancelling the booking also ends its request');
});

test('a booking that keeps its time is not offered times that overlap it', async () => {
  const { booked } = await bookAt('10:00', { confirmation: 'manual', durationMin: 60, slotIntervalMin: 30 });
  const offered = async () =>
    (await get(booked, `/availability?from=${day}&to=${day}`)).body.slots.map(({ start }: { start: string }) => start.slice(11, 16));
  assert.ok((await offered()).includes('10:30'), 'a pending booking moves at once');
  await world.act((scope) => confirmBooking(scope, booked.bookingId));
  assert.deepEqual(
    (await offered()).filter((time: string) => time < '11:30'),
    ['09:00', '11:00'],
  );
  assert.deepEqual(refusal(await move(booked, '10:30')), [409, 'slot_taken']);
  assert.equal((await move(booked, '11:00')).status, 200);
  // A new request replaces the previous one, which does not block it.
  assert.ok((await offered()).includes('11:30'));
  assert.deepEqual((await move(booked, '11:30')).body.requestedStart, at('11:30'));
});

test('if a request causes a reassignment of seats, the requesting booking keeps a seat', async () => {
  const shape = { confirmation: 'manual' as const, capacity: 2, durationMin: 60, slotIntervalMin: 30 };
  const { booked, calendar } = await bookAt('13:00', shape);
  await world.act((scope) => confirmBooking(scope, booked.bookingId));
  for (const time of ['09:00', '10:30', '09:30']) await world.book({ calendar, start: at(time) });
  assert.equal((await move(booked, '10:00')).status, 200);
  const { rows } = await chancery.pool.query('SELECT seat FROM booking WHERE calendar_id = $1 ORDER BY starts_at, id', [calendar]);
  assert.ok(
    rows.every(({ seat }) => seat > 0),
    JSON.stringify(rows),
  );
});

test('the team moves a booking with a reschedule request, even if seats are reassigned for it', async () => {
  const shape = { confirmation: 'manual' as const, capacity: 2, durationMin: 60, slotIntervalMin: 30 };
  const { booked, calendar } = await bookAt('13:00', shape);
  await world.act((scope) => confirmBooking(scope, booked.bookingId));
  for (const time of ['09:00', '10:30', '09:30']) await world.book({ calendar, start: at(time) });
  assert.equal((await move(booked, '11:00')).status, 200);
  const moved = await world.act((scope) =>
    rescheduleBooking(world.bookings, scope, { id: booked.bookingId, by: 'team', from: Date.parse(at('10:00')) }),
  );
  assert.deepEqual([moved.became, new Date(moved.booking.starts_at).toISOString()], ['moved', at('10:00')]);
});

test('a held booking is confirmed by its link, a repetition changes nothing, and it expires', async () => {
  const { booked, calendar } = await bookAt('10:00', { confirmByMail: true }, { email: 'held@example.org' });
  assert.equal(booked.status, 'held');
  assert.equal((await post(booked, '/confirm')).body.status, 'confirmed');
  assert.equal((await post(booked, '/confirm')).body.status, 'confirmed');
  const late = await world.book({ calendar, start: at('11:00'), visitor: { locale: 'en', email: 'late@example.org' } });
  await chancery.pool.query("UPDATE booking SET ends_waiting = now() - interval '1 minute' WHERE id = $1", [late.bookingId]);
  assert.deepEqual(refusal(await post(late, '/confirm')), [409, 'booking_closed']);
  assert.deepEqual(refusal(await post(late, '/cancel')), [409, 'booking_closed']);
  assert.deepEqual(refusal(await move(late, '12:00')), [409, 'booking_closed']);
  await world.act((scope) => expireBooking(scope, late.bookingId));
  await world.act((scope) => expireBooking(scope, late.bookingId));
  assert.deepEqual(
    (await entries(late.bookingId)).map(({ type }) => type),
    ['booking.created', 'booking.expired'],
  );
  assert.ok((await world.free(calendar, day)).includes('11:00'));
});

test('a mail address can have two future bookings, regardless of its case; other addresses and calendars do not count', async () => {
  const { calendar } = await bookAt('10:00', {}, { email: 'often@example.org' });
  const again = (time: string, email: string) => world.book({ calendar, start: at(time), visitor: { locale: 'en', email } });
  const second = await again('11:00', 'Often@example.org');
  await assert.rejects(again('12:00', 'OFTEN@example.org'), { code: 'too_many_bookings' });
  await again('12:00', 'else@example.org');
  await post(second, '/cancel');
  await again('13:00', 'often@example.org');
});

test('only a confirmed appointment that has started can be a no-show', async () => {
  const { booked } = await bookAt('10:00');
  await assert.rejects(
    world.act((scope) => missedBooking(scope, booked.bookingId)),
    { code: 'booking_not_pending' },
  );
  const missed = await world.act((scope) => missedBooking(scope, booked.bookingId), new Date(at('10:10')));
  assert.equal(missed.status, 'no_show');
});
