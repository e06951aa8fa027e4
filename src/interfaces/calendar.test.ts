import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bookIn, nextMonday, plainCalendar } from '../../test/bookings.ts';
import { type Chancery, startChancery, type Team } from '../../test/harness.ts';

let chancery: Chancery;
let team: Team;
before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
});
after(() => chancery.stop());

const day = nextMonday();
const call = (method: string, path: string, body?: unknown) =>
  chancery.call(method, `/api/v1/interfaces/${path}`, { token: team.owner.token, ...(body === undefined ? {} : { body }) });
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.code];
const form = { title: 'Consultation', type: 'scheduling', fields: [{ id: 'name', type: 'text', label: 'Name' }] };

async function published(calendar: object = plainCalendar) {
  const { body } = await call('POST', '', { ...form, calendar });
  const answer = await call('POST', `${body.id}/publish`, { revision: 1 });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}
const free = (token: string, query = `from=${day}&to=${day}`) =>
  chancery.call('GET', `/api/v1/interfaces/public/${token}/availability?${query}`);

test('a booking form needs a calendar before it is published, and shows what is free by its link', async () => {
  const { body: draft } = await call('POST', '', form);
  assert.deepEqual(refusal(await call('POST', `${draft.id}/publish`, { revision: 1 })), [409, 'calendar_missing']);
  assert.equal((await call('PUT', draft.id, { calendar: plainCalendar })).status, 200);
  const { body } = await call('POST', `${draft.id}/publish`, { revision: 2 });
  const { status, body: shown, headers } = await free(body.publicToken);
  assert.deepEqual([status, shown.durationMin, shown.slots.length], [200, 30, 16]);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual(shown.slots[0], {
    start: `${day}T09:00:00.000Z`,
    end: `${day}T09:30:00.000Z`,
    remaining: 1,
    localStart: `${day}T09:00:00+00:00`,
  });
  await bookIn(chancery, team.id, draft.id);
  assert.ok(!(await free(body.publicToken)).body.slots.some(({ start }: any) => start.includes('T10:00')));
  assert.deepEqual(refusal(await free(body.publicToken, `from=${day}&to=2020-01-01`)), [400, 'validation_failed']);
  assert.deepEqual(refusal(await free(body.publicToken, `from=${day}`)), [400, 'validation_failed']);
  assert.deepEqual(refusal(await free('a'.repeat(43))), [404, 'interface_not_found']);
  const plain = await call('POST', '', { ...form, type: 'form' });
  const { body: linked } = await call('POST', `${plain.body.id}/publish`, { revision: 1 });
  assert.deepEqual(refusal(await free(linked.publicToken)), [409, 'calendar_missing']);
});

test('the calendar in a definition is the one that is read and replaced by itself', async () => {
  const { id } = await published();
  assert.equal((await call('PUT', id, { calendar: { capacity: 3, timeZone: 'Asia/Kolkata' } })).body.calendar.capacity, 3);
  assert.equal((await call('GET', `${id}/calendar`)).body.timeZone, 'Asia/Kolkata');
  await call('PUT', `${id}/calendar`, { ...plainCalendar, capacity: 7 });
  assert.equal((await call('GET', id)).body.calendar.capacity, 7);
  assert.deepEqual(refusal(await call('PUT', id, { calendar: { timeZone: 'Nowhere' } })), [422, 'calendar_invalid']);
  assert.deepEqual(refusal(await call('PUT', id, { calendar: { colour: 'red' } })), [422, 'calendar_invalid']);
  assert.deepEqual(refusal(await call('PUT', id, { calendar: null })), [422, 'interface_invalid']);
  assert.deepEqual(refusal(await call('POST', '', { ...form, calendar: {} })), [422, 'calendar_invalid']);
});

test('a closed form offers nothing, and publishing it again does', async () => {
  const { id, publicToken } = await published();
  await call('POST', `${id}/close`);
  assert.deepEqual(refusal(await free(publicToken)), [410, 'interface_closed']);
  await assert.rejects(bookIn(chancery, team.id, id), { code: 'interface_closed' });
  await call('PUT', id, { title: 'Again' });
  assert.equal((await call('POST', `${id}/publish`, { revision: 2 })).status, 200);
  await bookIn(chancery, team.id, id);
});

test('an interface with bookings ahead is deleted only with them, and those who booked can still see theirs', async () => {
  const { id } = await published();
  const { bookingId, manageToken } = await bookIn(chancery, team.id, id);
  assert.deepEqual(refusal(await call('DELETE', id)), [409, 'bookings_ahead']);
  assert.equal((await call('GET', id)).status, 200);
  assert.equal((await call('DELETE', `${id}?cancelBookings=true`)).status, 204);
  const seen = await chancery.call('GET', `/api/v1/interfaces/booking/${team.id}/${manageToken}`);
  assert.deepEqual([seen.status, seen.body.bookingId, seen.body.status], [200, bookingId, 'cancelled']);
  const { body: past } = await call('POST', '', { ...form, calendar: plainCalendar });
  assert.equal((await call('DELETE', past.id)).status, 204);
});
