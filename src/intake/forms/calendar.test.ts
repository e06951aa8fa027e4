import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bookIn, nextMonday, plainCalendar } from '../../../test/bookings.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../test/harness.ts';

let chancery: Chancery;
let team: TestTeam;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { FORM_SUBMITS_PER_MINUTE: '0', FORM_SUBMITS_PER_ADDRESS: '0' } });
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

test('a booking form needs a calendar before publication, and its link shows the free slots', async () => {
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
  assert.deepEqual(refusal(await free('a'.repeat(64))), [404, 'interface_not_found']);
  const plain = await call('POST', '', { ...form, type: 'form' });
  const { body: linked } = await call('POST', `${plain.body.id}/publish`, { revision: 1 });
  assert.deepEqual(refusal(await free(linked.publicToken)), [409, 'calendar_missing']);
});

test('a long visitor name is truncated between two characters', async () => {
  const { id, publicToken } = await published();
  const data = { name: `${'a'.repeat(199)}\u{1f600}b`, start: `${day}T09:00:00Z` };
  const sent = await chancery.call('POST', `/api/v1/interfaces/public/${publicToken}/submit`, { body: { data } });
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(
    (await call('GET', `${id}/bookings`)).body.map(({ name }: any) => name),
    ['a'.repeat(199)],
  );
});

test('the calendar in a definition is the same as that of the calendar endpoint', async () => {
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

test('a closed form offers no slots, and publishing it again does', async () => {
  const { id, publicToken } = await published();
  await call('POST', `${id}/close`);
  assert.deepEqual(refusal(await free(publicToken)), [410, 'interface_closed']);
  await assert.rejects(bookIn(chancery, team.id, id), { code: 'interface_closed' });
  await call('PUT', id, { title: 'Again' });
  assert.equal((await call('POST', `${id}/publish`, { revision: 2 })).status, 200);
  await bookIn(chancery, team.id, id);
});

test('an interface with future bookings is deleted only together with them, and visitors can still see theirs', async () => {
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

const withMail = { ...form, fields: [...form.fields, { id: 'mail', type: 'email', label: 'Mail' }] };
const submit = (token: string, data: object, channel = 'public', headers: Record<string, string> = {}) =>
  chancery.call('POST', `/api/v1/interfaces/${channel}/${token}/submit`, { body: { data }, headers });

async function publishedWith(members: object) {
  const { body } = await call('POST', '', { ...withMail, calendar: plainCalendar, ...members });
  const answer = await call('POST', `${body.id}/publish`, { revision: 1 });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

test('a submission to a booking form books the time and shows its link in the session; a failure stores nothing', async () => {
  const { id, publicToken, apiToken } = await publishedWith({});
  const start = `${day}T10:00:00Z`;
  const path = `/api/v1/interfaces/public/${publicToken}/submission/booking`;
  assert.deepEqual(refusal(await chancery.call('GET', path)), [404, 'no_submission_session']);
  assert.deepEqual(refusal(await chancery.call('GET', path.replace(publicToken, 'a'.repeat(64)))), [404, 'interface_not_found']);
  const sent = await submit(publicToken, { name: 'Grace', mail: 'grace@example.org', start, timeZone: 'Asia/Tokyo' });
  assert.deepEqual([sent.status, sent.body.hasSession], [200, true], sent.text);
  const session = sent.headers.get('x-submission-session') ?? '';
  const seen = await chancery.call('GET', path, { headers: { 'x-submission-session': session } });
  assert.deepEqual([seen.status, seen.body.start, seen.body.status], [200, `${day}T10:00:00.000Z`, 'confirmed']);
  const [booked] = (await call('GET', `${id}/bookings`)).body;
  assert.deepEqual(
    [booked.submissionId, booked.name, booked.email, booked.timeZone],
    [sent.body.submissionId, 'Grace', 'grace@example.org', 'Asia/Tokyo'],
  );
  const managed = await chancery.call('POST', `/api/v1/interfaces/booking/${team.id}/${seen.body.manageToken}/cancel`);
  assert.equal(managed.status, 200);
  const viaApi = await submit(apiToken, { name: 'A program', start, end: `${day}T10:30:00Z` }, 'api');
  assert.equal(viaApi.status, 200, viaApi.text);
  for (const channel of ['public', 'api']) {
    const token = channel === 'public' ? publicToken : apiToken;
    assert.deepEqual(refusal(await submit(token, { name: 'Late', start }, channel)), [409, 'slot_taken']);
    assert.deepEqual(refusal(await submit(token, { name: 'Odd', start: `${day}T10:05:00Z` }, channel)), [422, 'slot_not_offered']);
    const without = await submit(token, { name: 'None' }, channel);
    assert.deepEqual([...refusal(without), without.body.errors[0].pointer], [422, 'submission_invalid', '/data/start']);
    for (const time of channel === 'public' ? ['13:00', '14:00'] : [])
      assert.equal((await submit(token, { name: 'Often', mail: 'often@example.org', start: `${day}T${time}:00Z` })).status, 200);
    assert.deepEqual(refusal(await submit(token, { name: 'Often', mail: 'often@example.org', start: `${day}T15:00:00Z` }, channel)), [
      409,
      'too_many_bookings',
    ]);
  }
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM submission WHERE interface_id = $1', [id]);
  assert.equal(rows[0].n, 4);
});

test('of 50 concurrent submissions for one time over HTTP, one succeeds and 49 get slot_taken', async () => {
  const { id, publicToken } = await publishedWith({});
  const start = `${day}T11:00:00Z`;
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => submit(publicToken, { name: `N${n}`, start })));
  const counts = Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim());

  assert.deepEqual([counts['200']?.length, counts['409 slot_taken']?.length], [1, 49]);
  assert.equal((await call('GET', `${id}/bookings`)).body.length, 1);
});

test('a repeated request with the same key books once', async () => {
  const { id, publicToken } = await publishedWith({});
  const repeat = () => submit(publicToken, { name: 'Twice', start: `${day}T12:00:00Z` }, 'public', { 'idempotency-key': 'twice' });
  const [first, second] = [await repeat(), await repeat()];
  assert.deepEqual([first.status, second.status, second.body], [200, 200, first.body]);
  assert.equal((await call('GET', `${id}/bookings`)).body.length, 1);
});

test('a form that has reached its maximum number of submissions offers no slots', async () => {
  const { publicToken } = await publishedWith({ publicSettings: { maxSubmissions: 1 } });
  assert.equal((await submit(publicToken, { name: 'Only', start: `${day}T09:00:00Z` })).status, 200);
  assert.deepEqual(refusal(await free(publicToken)), [409, 'interface_full']);
});
