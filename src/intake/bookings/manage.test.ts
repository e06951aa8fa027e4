import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beginBooking, nextMonday, openBookingWorld, plainCalendar } from '../../../test/bookings.ts';
import { type Chancery, sharedChancery, type TestTeam } from '../../../test/harness.ts';

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
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, `/api/v1/interfaces/${path}`, { token: team.owner.token, headers, ...(body === undefined ? {} : { body }) });
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.code];

async function made(calendar?: object): Promise<string> {
  const answer = await call('POST', '', { title: 'Consultation', type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] });
  assert.equal(answer.status, 201, answer.text);
  if (calendar !== undefined)
    assert.equal((await call('PUT', `${answer.body.id}/calendar`, { ...plainCalendar, ...calendar })).status, 200);
  return answer.body.id;
}
const book = (calendar: string, time: string, visitor = {}) =>
  world.book({ calendar, start: at(time), visitor: { locale: 'en', ...visitor } });

test('a calendar is created, read and replaced with its ETag; bookings that no longer fit stay and are listed as conflicts', async () => {
  const id = await made();
  for (const path of ['calendar', 'calendar/slots'])
    assert.deepEqual(refusal(await call('GET', `${id}/${path}`)), [409, 'calendar_missing']);
  const put = await call('PUT', `${id}/calendar`, { ...plainCalendar, timeZone: 'Asia/Kolkata' });
  assert.equal(put.status, 200, put.text);
  assert.equal(put.body.timeZone, 'Asia/Kolkata', 'a zone keeps the requested name');
  assert.deepEqual([put.body.slotIntervalMin, put.body.capacity, put.body.maxDaysAhead, put.body.reminders], [30, 1, 60, [1440]]);
  await call('PUT', `${id}/calendar`, { ...plainCalendar, capacity: 2 });
  const one = await book(id, '09:00');
  const other = await book(id, '09:00');
  const early = await book(id, '16:00');
  const { headers } = await call('GET', `${id}/calendar`);
  const weekly = Object.fromEntries(Object.keys(plainCalendar.weekly ?? {}).map((name) => [name, [['09:00', '12:00']]]));
  const changed = await call('PUT', `${id}/calendar`, { ...plainCalendar, weekly }, { 'if-match': headers.get('etag') ?? '' });
  assert.deepEqual(
    changed.body.conflicts.map((conflict: any) => [conflict.bookingId, conflict.reason]).toSorted(),
    [
      [one.bookingId, 'over_capacity'],
      [other.bookingId, 'over_capacity'],
      [early.bookingId, 'outside_hours'],
    ].toSorted(),
  );
  assert.equal((await call('GET', `${id}/bookings`)).body.length, 3);
  const stale = await call('PUT', `${id}/calendar`, plainCalendar, { 'if-match': headers.get('etag') ?? '' });
  assert.deepEqual(refusal(stale), [412, 'precondition_failed']);
});

test('an invalid calendar is rejected with a pointer to the error', async () => {
  const id = await made();
  const errors: [object, string][] = [
    [{ timeZone: 'Europe/Atlantis' }, '/timeZone'],
    [{ timeZone: '+02:00' }, '/timeZone'],
    [{ weekly: { mon: [['09:00', '09:00']] } }, '/weekly/mon/0'],
    [{ weekly: { mon: [['24:00', '09:00']] } }, '/weekly/mon/0'],
    [
      {
        weekly: {
          mon: [
            ['09:00', '12:00'],
            ['11:00', '13:00'],
          ],
        },
      },
      '/weekly/mon/1',
    ],
    [
      {
        overrides: [
          { date: '2026-12-24', hours: [] },
          { date: '2026-12-24', hours: [] },
        ],
      },
      '/overrides/1/date',
    ],
    [{ holidays: { country: 'XX' } }, '/holidays/country'],
    [{ holidays: { country: 'DE', state: 'ZZ' } }, '/holidays/state'],
  ];
  for (const [members, pointer] of errors) {
    const refused = await call('PUT', `${id}/calendar`, { ...plainCalendar, ...members });
    assert.deepEqual([...refusal(refused), refused.body.errors?.[0]?.pointer], [422, 'calendar_invalid', pointer], JSON.stringify(members));
  }
  for (const members of [
    { durationMin: 0 },
    { capacity: 0 },
    { weekly: { mon: [['9', '10']] } },
    { overrides: [{ date: '2026-02-30', hours: [] }] },
    { color: 'red' },
  ])
    assert.deepEqual(
      refusal(await call('PUT', `${id}/calendar`, { ...plainCalendar, ...members })),
      [400, 'validation_failed'],
      JSON.stringify(members),
    );
});

test('local holidays close the calendar, and an override opens one of them', async () => {
  const year = new Date().getUTCFullYear() + 1;
  const id = await made({
    timeZone: 'Europe/Berlin',
    maxDaysAhead: 730,
    holidays: { country: 'DE', state: 'BY' },
    overrides: [{ date: `${year}-12-26`, hours: [['10:00', '11:00']] }],
  });
  const slots = async (date: string) => (await call('GET', `${id}/calendar/slots?from=${date}&to=${date}`)).body.slots.length;
  // Epiphany is a holiday in Bavaria, and not in Berlin.
  assert.deepEqual(
    [await slots(`${year}-01-06`), await slots(`${year}-12-25`), await slots(`${year}-12-26`), await slots(`${year}-01-07`)],
    [0, 0, 2, 16],
  );
});

test('the explained slots stop at the last day with a four-digit year', async () => {
  const id = await made({});
  const slots = await call('GET', `${id}/calendar/slots?from=9999-12-28`);
  assert.deepEqual([slots.status, slots.body?.slots], [200, []], slots.text);
});

test('bookings are listed by start time, in pages, by status and time; bookings of another interface get 404', async () => {
  const id = await made({ confirmation: 'manual' });
  const times = ['12:00', '09:00', '10:30', '11:00'];
  const ids = new Map<string, string>();
  for (const time of times)
    ids.set(time, (await book(id, time, { name: `At ${time}`, email: `${time.slice(0, 2)}${time.slice(3)}@example.org` })).bookingId);
  await call('POST', `${id}/bookings/${ids.get('09:00')}/confirm`);
  const starts = (rows: any[]) => rows.map(({ start }) => start.slice(11, 16));
  assert.deepEqual(starts((await call('GET', `${id}/bookings`)).body), ['09:00', '10:30', '11:00', '12:00']);
  assert.deepEqual(starts((await call('GET', `${id}/bookings?status=confirmed`)).body), ['09:00']);
  assert.deepEqual(starts((await call('GET', `${id}/bookings?from=${at('10:00')}&to=${at('12:00')}`)).body), ['10:30', '11:00']);
  const first = await call('GET', `${id}/bookings?limit=3`);
  const next = /\/interfaces\/([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual([starts(first.body), starts((await call('GET', next)).body)], [['09:00', '10:30', '11:00'], ['12:00']]);
  assert.deepEqual(refusal(await call('GET', `${id}/bookings?cursor=x`)), [400, 'validation_failed']);
  const other = await made({});
  assert.deepEqual(refusal(await call('GET', `${other}/bookings/${ids.get('09:00')}`)), [404, 'not_found']);
  assert.deepEqual(refusal(await call('POST', `${other}/bookings/${ids.get('09:00')}/cancel`, {})), [404, 'not_found']);
  const [shown] = (await call('GET', `${id}/bookings`)).body;
  assert.deepEqual([shown.name, shown.email, shown.status], ['At 09:00', '0900@example.org', 'confirmed']);
});

test('the team confirms, declines, cancels and moves bookings, but not past ones', async () => {
  const id = await made({ confirmation: 'manual' });
  const act = (booking: string, verb: string, body?: unknown) => call('POST', `${id}/bookings/${booking}/${verb}`, body);
  const first = await book(id, '09:00');
  assert.equal((await act(first.bookingId, 'confirm')).body.status, 'confirmed');
  assert.deepEqual(refusal(await act(first.bookingId, 'confirm')), [409, 'booking_not_pending']);
  assert.deepEqual(refusal(await act(first.bookingId, 'decline', {})), [409, 'booking_not_pending']);
  assert.deepEqual(refusal(await act(first.bookingId, 'no-show')), [409, 'booking_not_pending']);
  await book(id, '10:00');
  assert.deepEqual(refusal(await act(first.bookingId, 'move', { start: at('10:00') })), [409, 'slot_taken']);
  assert.deepEqual(refusal(await act(first.bookingId, 'move', { start: at('10:10') })), [422, 'slot_not_offered']);
  assert.equal((await act(first.bookingId, 'move', { start: at('11:00') })).body.start, at('11:00'));
  const gone = await act(first.bookingId, 'cancel', { reason: 'Ill' });
  assert.deepEqual([gone.body.status, gone.body.endedBy, gone.body.reason], ['cancelled', 'team', 'Ill']);
  for (const [verb, body] of [['confirm'], ['decline', {}], ['cancel', {}], ['move', { start: at('12:00') }]] as const)
    assert.deepEqual(refusal(await act(first.bookingId, verb, body)), [409, 'already_cancelled'], verb);
  const declined = await book(id, '13:00');
  assert.equal((await act(declined.bookingId, 'decline', { reason: 'No' })).body.status, 'declined');
  for (const [verb, body] of [['confirm'], ['decline', {}], ['cancel', {}], ['move', { start: at('12:00') }]] as const)
    assert.deepEqual(refusal(await act(declined.bookingId, verb, body)), [409, 'booking_closed'], verb);
  const past = await book(id, '14:00');
  await act(past.bookingId, 'confirm');
  await beginBooking(chancery, past.bookingId);
  for (const [verb, body] of [['confirm'], ['decline', {}], ['cancel', {}], ['move', { start: at('12:00') }]] as const)
    assert.deepEqual(refusal(await act(past.bookingId, verb, body)), [409, 'booking_past'], verb);
  assert.equal((await act(past.bookingId, 'no-show')).body.status, 'no_show');
});

test('a feed is read with its secret address, shows “Busy”, and the address stops working after its replacement', async () => {
  const id = await made();
  assert.deepEqual(refusal(await call('POST', `${id}/calendar/feed`)), [409, 'calendar_missing']);
  await call('PUT', `${id}/calendar`, plainCalendar);
  const { feedUrl } = (await call('POST', `${id}/calendar/feed`)).body;
  assert.equal((await call('GET', `${id}/calendar`)).body.feedUrl, feedUrl);
  const read = (url: string) => chancery.call('GET', new URL(url).pathname);
  const booked = await book(id, '09:00', { name: 'Grace Hopper', email: 'grace@example.org' });
  const file = await read(feedUrl);
  assert.equal(file.headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.match(file.text, /SUMMARY:Busy\r\n/);
  assert.match(file.text, new RegExp(`UID:${booked.bookingId}@`));
  assert.ok(!/grace|hopper|consultation/i.test(file.text));
  await call('PUT', `${id}/calendar`, { ...plainCalendar, feedDetails: true });
  assert.match((await read(feedUrl)).text, /SUMMARY:Consultation: Grace Hopper\r\n/);
  const rotated = (await call('POST', `${id}/calendar/feed`)).body.feedUrl;
  assert.deepEqual(refusal(await read(feedUrl)), [404, 'feed_not_found']);
  assert.equal((await read(rotated)).status, 200);
  assert.equal((await call('DELETE', `${id}/calendar/feed`)).status, 204);
  assert.deepEqual(refusal(await read(rotated)), [404, 'feed_not_found']);
  assert.equal((await call('GET', `${id}/calendar`)).body.feedUrl, undefined);
});

test('busy-time addresses are at most five, unique, named and public', async () => {
  const id = await made();
  const addresses = [{ name: 'Private', url: 'webcal://calendar.example/a.ics' }];
  assert.deepEqual(refusal(await call('PUT', `${id}/calendar/busy`, { addresses })), [409, 'calendar_missing']);
  await call('PUT', `${id}/calendar`, plainCalendar);
  const put = await call('PUT', `${id}/calendar/busy`, { addresses });
  assert.deepEqual(put.body.addresses, [{ name: 'Private', url: 'https://calendar.example/a.ics', stale: true }]);
  assert.deepEqual((await call('GET', `${id}/calendar/busy`)).body, put.body);
  const twice = await call('PUT', `${id}/calendar/busy`, { addresses: [...addresses, ...addresses] });
  assert.deepEqual([...refusal(twice), twice.body.errors[0].pointer], [422, 'calendar_invalid', '/addresses/1/url']);
  assert.deepEqual(refusal(await call('PUT', `${id}/calendar/busy`, { addresses: [{ name: 'No', url: 'file:///etc/passwd' }] })), [
    422,
    'calendar_invalid',
  ]);
  const unnamed = await call('PUT', `${id}/calendar/busy`, { addresses: [{ ...addresses[0], name: ' ' }] });
  assert.deepEqual([...refusal(unnamed), unnamed.body.errors[0].pointer], [400, 'validation_failed', '/addresses/0/name']);
  const many = Array.from({ length: 6 }, (_, n) => ({ name: `C${n}`, url: `https://calendar.example/${n}` }));
  assert.deepEqual(refusal(await call('PUT', `${id}/calendar/busy`, { addresses: many })), [400, 'validation_failed']);
});

test('no feed discloses visitors without the right to see them, and no read-only client gets secret addresses', async () => {
  const { owner } = team;
  const [creator, editor, partner, admin] = await Promise.all(
    (['member', 'member', 'member', 'admin'] as const).map((role) => chancery.user(team, { role })),
  );
  if (!creator || !editor || !partner || !admin) throw new Error('a user is missing');
  const as = (by: { token: string }, method: string, path: string, body?: unknown) =>
    chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
  const folder = await chancery.folder(creator);
  const members = { title: 'Advice', type: 'scheduling', config: { folderId: folder.id } };
  const { id } = (await as(creator, 'POST', '/api/v1/interfaces/', members)).body;
  const calendar = `/api/v1/interfaces/${id}/calendar`;
  assert.equal((await as(creator, 'PUT', calendar, plainCalendar)).status, 200);
  await book(id, '09:00', { name: 'Grace Hopper', email: 'grace@example.org' });
  for (const [who, rights] of [
    [editor, ['edit']],
    [partner, ['edit', 'submissions']],
  ] as const)
    assert.equal((await as(creator, 'POST', `/api/v1/interfaces/${id}/shares`, { userId: who.id, rights })).status, 201);
  const read = async ({ feedUrl }: { feedUrl: string }) => chancery.call('GET', new URL(feedUrl).pathname);

  const partners = (await as(partner, 'POST', `${calendar}/feed`)).body;
  assert.equal((await as(partner, 'PUT', calendar, { ...plainCalendar, feedDetails: true })).status, 200);
  assert.match((await read(partners)).text, /Grace Hopper/);
  assert.equal((await as(editor, 'POST', `${calendar}/feed`)).status, 403);
  assert.equal((await as(editor, 'GET', calendar)).body.feedUrl, undefined);
  const hours = await as(editor, 'PUT', calendar, { ...plainCalendar, feedDetails: true, capacity: 2 });
  assert.equal(hours.status, 200, 'an unchanged setting of another member stays');
  await as(editor, 'PUT', calendar, plainCalendar);
  const telling = { ...plainCalendar, feedDetails: true };
  assert.equal((await as(editor, 'PUT', calendar, telling)).status, 403);
  const withTheForm = await as(editor, 'PUT', `/api/v1/interfaces/${id}`, { calendar: telling });
  assert.equal(withTheForm.status, 403, 'nor through a change of the form');
  assert.equal((await as(partner, 'PUT', `/api/v1/interfaces/${id}`, { calendar: telling })).status, 200);

  await chancery.pool.query('DELETE FROM access_grant WHERE resource_id = $1 AND user_id = $2', [id, partner.id]);
  assert.deepEqual(refusal(await read(partners)), [404, 'feed_not_found']);

  const admins = (await as(admin, 'POST', `${calendar}/feed`)).body;
  assert.equal((await read(admins)).status, 200);
  const apiClient = await chancery.client(owner, ['interfaces:read']);
  assert.deepEqual(refusal(await as(apiClient, 'GET', `${calendar}/busy`)), [403, 'insufficient_scope']);
  const able = await chancery.client(owner, ['interfaces:read', 'interfaces:write']);
  assert.equal((await as(able, 'POST', `${calendar}/feed`)).status, 403);

  const barrier = await as(creator, 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [] });
  assert.equal(barrier.status, 200, barrier.text);
  assert.deepEqual(refusal(await read(admins)), [404, 'feed_not_found'], 'a barrier excludes the creator of the address');
  assert.equal((await as(admin, 'POST', `${calendar}/feed`)).status, 404);
  assert.equal((await as(creator, 'POST', `${calendar}/feed`)).status, 200);
});

test('the journal records bookings and secret addresses that an administrator reads only by role, and the owner sees it', async () => {
  const [creator, admin, partner] = [await chancery.user(team), await chancery.user(team, { role: 'admin' }), await chancery.user(team)];
  const as = (by: { token: string }, method: string, path: string, body?: unknown) =>
    chancery.call(method, `/api/v1/interfaces/${path}`, { token: by.token, ...(body === undefined ? {} : { body }) });
  const { id } = (await as(creator, 'POST', '', { title: 'Advice', type: 'scheduling' })).body;
  assert.equal((await as(creator, 'PUT', `${id}/calendar`, plainCalendar)).status, 200);
  assert.equal((await as(creator, 'POST', `${id}/shares`, { userId: partner.id, rights: ['submissions'] })).status, 201);
  const { bookingId } = await book(id, '09:00', { name: 'Grace Hopper' });
  const privilegedAccess = async () =>
    (await as(creator, 'GET', `${id}/access`)).body.privilegedAccess.map(({ type, userId }: any) => [type, userId === admin.id]).toSorted();
  for (const [by, path] of [
    [creator, 'bookings'],
    [partner, `bookings/${bookingId}`],
    [creator, 'calendar/busy'],
  ] as const)
    assert.equal((await as(by, 'GET', `${id}/${path}`)).status, 200, path);
  assert.deepEqual(await privilegedAccess(), []);
  assert.match((await as(admin, 'GET', `${id}/bookings/${bookingId}`)).text, /Grace Hopper/);
  assert.deepEqual(await privilegedAccess(), [['calendar.bookings_read', true]]);
  await as(admin, 'GET', `${id}/bookings`);
  await as(admin, 'GET', `${id}/calendar`);
  assert.deepEqual(await privilegedAccess(), [['calendar.bookings_read', true]], 'once an hour; reading only the calendar is not recorded');
  await as(creator, 'POST', `${id}/calendar/feed`);
  assert.ok((await as(admin, 'GET', `${id}/calendar`)).body.feedUrl);
  await as(admin, 'GET', `${id}/calendar/busy`);
  assert.deepEqual(await privilegedAccess(), [
    ['calendar.addresses_read', true],
    ['calendar.bookings_read', true],
  ]);
});
