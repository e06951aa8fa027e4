import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type User } from '../harness.ts';
import { askToSign, outToSign } from '../signatures.ts';
import { type AccessWorld, type Caller, callerNames, openWorld } from './callers.ts';
import { things, type ThingName } from './things.ts';

/* The inbox of each kind of caller has exactly the items of the lists of each kind. */

const inbox = '/api/v1/inbox';
const interfaces = '/api/v1/interfaces';
const kinds = {
  tasks: 'task',
  approvals: 'approval',
  bookings: 'booking',
  records: 'record',
  signatures: 'signature',
  failedDeliveries: 'delivery',
};
type Count = keyof typeof kinds;

let chancery: Chancery;
let world: AccessWorld;
/** The requests to sign, by the caller who signs. No list shows them to a signer. */
const toSign = new Map<Caller, string[]>();

const forAll: ThingName[] = ['task', 'taskOfDocument', 'completedTask', 'groupTask', 'claimedTask'];
const forAssignee: ThingName[] = [
  ...(['nobodysTask', 'approval', 'approvalBehindBarrier', 'approvalRound', 'barredApprovalRound'] as const),
  ...(['bookingForm', 'bookedForm', 'pendingRecord', 'registryRecord', 'signatureRequest'] as const),
];

before(async () => {
  chancery = await sharedChancery();
  world = await openWorld(chancery);
  for (const name of forAll) for (const caller of ['assignee', 'clerk'] as const) await things[name](world, caller);
  for (const name of forAssignee) await things[name](world, 'assignee');
  await world.made('creator', 'POST', '/api/v1/tasks/', { title: 'Late', assignedTo: world.people.assignee.id, dueDate: '2020-01-01' });
  const { folder } = await things.bookingForm(world, 'assignee');
  await world.made('creator', 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [world.people.reader.id] });
  for (const by of ['assignee', 'clerk', 'guest', 'owner'] as const) toSign.set(by, [await toBeSignedBy(world.people[by])]);
  await world.made('owner', 'POST', '/api/v1/webhooks/', { name: 'Own', url: 'https://example.com/own', events: ['folder.*'] });
  await world.made('client', 'POST', '/api/v1/webhooks/', { name: 'Client', url: 'https://example.com/client', events: ['folder.*'] });
  await failDeliveries(world.team.id);
});

/** Creates requests for a member: one to sign now, and others that do not wait for the member. Returns the first. */
async function toBeSignedBy({ email }: User): Promise<string> {
  const { creator } = world.people;
  const signer = { email, name: 'Member' };
  const other = { email: `other.${randomUUIDv7()}@example.org`, name: 'Other' };
  const now = await askToSign(chancery, creator, { signers: [signer] });
  const later = await askToSign(chancery, creator, {
    signers: [
      { ...other, order: 1 },
      { ...signer, order: 2 },
    ],
  });
  const copied = await askToSign(chancery, creator, { signers: [other, { ...signer, role: 'copy' }] });
  for (const request of [now, later, copied]) await outToSign(chancery, request.id);
  const ended = await askToSign(chancery, creator, { signers: [signer] });
  await outToSign(chancery, ended.id);
  await world.made('creator', 'POST', `/api/v1/signatures/${ended.id}/void`, { reason: 'A mistake' });
  const expired = await askToSign(chancery, creator, { signers: [signer] });
  await outToSign(chancery, expired.id);
  await chancery.pool.query("UPDATE signature_request SET expires_at = now() - interval '1 second' WHERE id = $1", [expired.id]);
  return now.id;
}

/** Adds failed and other deliveries to each endpoint of a team. No receiver needs to fail for them. */
const failDeliveries = (team: string) =>
  chancery.pool.query(
    `INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, status, max_attempts, created_at)
     SELECT e.team_id, e.id, uuidv7_like($2), 'evt_' || n, 'folder.created', status, 3, now()
     FROM webhook_endpoint e, generate_series(1, 3) n, unnest(ARRAY['failed', 'cancelled', 'delivered']) status WHERE e.team_id = $1`,
    [team, randomUUIDv7()],
  );

async function read(token: string, query = ''): Promise<{ status: number; body: any; next: string | undefined }> {
  const { status, body, headers, text } = await chancery.call('GET', `${inbox}${query}`, { token });
  assert.equal(status, 200, text);
  return { status, body, next: /<[^>]*(\?[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] };
}

const list = async (token: string, path: string): Promise<any[]> => {
  const { status, body } = await chancery.call('GET', path, { token });
  return status === 200 ? body : [];
};
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).toSorted();

/** Returns the items of each kind in the lists of a caller, without those that the caller cannot change. */
async function listed(caller: Caller): Promise<Record<Count, string[]>> {
  const token = world.tokens[caller];
  const tasks = await list(token, '/api/v1/tasks?status=open&assignedTo=me&claimable=true');
  const found: Record<Count, string[]> = {
    tasks: ids(tasks.filter(({ roundId }) => roundId === undefined)),
    approvals: ids(tasks.filter(({ roundId }) => roundId !== undefined)),
    bookings: [],
    records: [],
    signatures: toSign.get(caller) ?? [],
    failedDeliveries: [],
  };
  for (const { id } of await list(token, interfaces)) {
    // A missing booking is 404 for those who may confirm bookings, and 403 for others.
    const { status } = await chancery.call('POST', `${interfaces}/${id}/bookings/${randomUUIDv7()}/confirm`, { token });
    if (status === 404) found.bookings.push(...ids(await list(token, `${interfaces}/${id}/bookings?status=pending`)));
  }
  for (const { id } of await list(token, '/api/v1/registries'))
    found.records.push(...ids(await list(token, `/api/v1/registries/${id}/records?status=pending`)));
  for (const { id } of await list(token, '/api/v1/webhooks'))
    found.failedDeliveries.push(...ids(await list(token, `/api/v1/webhooks/${id}/deliveries?status=failed`)));
  return found;
}

for (const caller of callerNames) {
  test(`${caller}: the inbox has the items of the lists, and their numbers`, async () => {
    const { body } = await read(world.tokens[caller], '?limit=500');
    const expected = await listed(caller);
    for (const [count, kind] of Object.entries(kinds) as [Count, string][]) {
      const items = body.items.filter((item: any) => item.kind === kind);
      assert.deepEqual(ids(items), expected[count].toSorted(), kind);
      assert.equal(body.counts[count]?.open ?? 0, expected[count].length, count);
    }
  });
}

test('each kind waits for some caller, so that the comparison finds a missing kind', async () => {
  const all = await Promise.all(callerNames.map((caller) => read(world.tokens[caller], '?limit=500')));
  const found = new Set(all.flatMap(({ body }) => body.items.map(({ kind }: any) => kind)));
  assert.deepEqual([...found].toSorted(), Object.values(kinds).toSorted());
});

test('an overdue task is counted and comes first', async () => {
  const { body } = await read(world.tokens.assignee);
  assert.deepEqual([body.counts.tasks.overdue, body.items[0].title, body.items[0].overdue], [1, 'Late', true]);
});

test('a search finds the items of every kind by a part of their titles, with their numbers', async () => {
  const { items } = (await read(world.tokens.owner, '?limit=500')).body;
  const titles = new Map<string, string>(items.map(({ kind, title }: any) => [kind, title]));
  assert.ok(titles.size > 3);
  for (const title of titles.values()) {
    const part = title.slice(1, -1).toUpperCase();
    const { body } = await read(world.tokens.owner, `?limit=500&q=${encodeURIComponent(part)}`);
    assert.deepEqual(ids(body.items), ids(items.filter((item: any) => item.title.toUpperCase().includes(part))), part);
    assert.equal(
      Object.values<any>(body.counts).reduce((sum, { open }) => sum + open, 0),
      body.items.length,
      part,
    );
  }
  assert.deepEqual((await read(world.tokens.owner, '?q=no%20such%20title')).body.items, []);
});

test('the pages have each item once, by due date, and only the first has counts', async () => {
  for (const caller of ['owner', 'assignee'] as const) {
    const whole = await read(world.tokens[caller], '?limit=500');
    assert.equal(whole.next, undefined);
    const pages = [await read(world.tokens[caller], '?limit=2')];
    for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) pages.push(await read(world.tokens[caller], next));
    const items = pages.flatMap(({ body }) => body.items);
    assert.deepEqual(items, whole.body.items);
    const due = items.map(({ dueAt = 'later' }) => dueAt);
    assert.deepEqual(due, due.toSorted());
    assert.deepEqual([...new Set(pages.slice(1).map(({ body }) => body.counts))], [undefined]);
    assert.deepEqual(pages[0]?.body.counts, whole.body.counts);
  }
});

test('`kind` selects kinds, and an unknown kind is rejected', async () => {
  const { body } = await read(world.tokens.owner, '?kind=booking&kind=delivery');
  assert.deepEqual(Object.keys(body.counts).toSorted(), ['bookings', 'failedDeliveries']);
  assert.deepEqual([...new Set(body.items.map(({ kind }: any) => kind))].toSorted(), ['booking', 'delivery']);
  const unknown = await chancery.call('GET', `${inbox}?kind=letter`, { token: world.tokens.owner });
  assert.deepEqual([unknown.status, unknown.body.code], [400, 'validation_failed']);
});

test('a cursor of another list is rejected', async () => {
  const { status, body } = await chancery.call('GET', `${inbox}?cursor=eyJ4IjoxfQ`, { token: world.tokens.owner });
  assert.deepEqual([status, body.code], [400, 'validation_failed']);
});

test('an API client gets only the kinds of its scopes, and none of a person', async () => {
  const { token } = await chancery.client(world.team.owner, ['registries:read', 'registries:write', 'tasks:read']);
  const { body } = await read(token, '?limit=500');
  assert.deepEqual(Object.keys(body.counts).toSorted(), ['approvals', 'records', 'signatures', 'tasks']);
  assert.deepEqual([...new Set(body.items.map(({ kind }: any) => kind))], ['record']);
});

test('the inbox of another team is empty', async () => {
  const { owner } = await chancery.team();
  const { body } = await read(owner.token);
  assert.deepEqual(body.items, []);
  assert.ok(Object.values(body.counts).every(({ open }: any) => open === 0));
});

test('a barrier around a document removes the request to sign from the inbox', async () => {
  const { creator, member } = world.people;
  const folder = await chancery.folder(creator);
  const document = await chancery.document(creator, { folderId: folder.id });
  const { id } = await askToSign(chancery, creator, { signers: [{ email: member.email, name: 'Member' }] });
  await outToSign(chancery, id);
  assert.deepEqual(ids((await read(member.token, '?kind=signature')).body.items), [id]);
  await chancery.pool.query('UPDATE signature_request_document SET document_id = $1 WHERE request_id = $2', [document.id, id]);
  await world.made('creator', 'PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { userIds: [creator.id] });
  assert.deepEqual((await read(member.token, '?kind=signature')).body.items, []);
});

test('a count ends at 1000 and says so, and the item after it is on a later page', async () => {
  const reader = await chancery.user(world.team);
  const { id } = await world.made('creator', 'POST', '/api/v1/tasks/', { title: 'One of many', assignedTo: reader.id });
  const add = (n: number) =>
    chancery.pool.query(
      `INSERT INTO task (team_id, id, title, type, status, assigned_to, created_by, created_by_type, owner_id, outcomes, created_at, updated_at, assigned_at)
       SELECT t.team_id, uuidv7_like(t.id), t.title, t.type, t.status, t.assigned_to, t.created_by, t.created_by_type, t.owner_id, t.outcomes, t.created_at,
         t.updated_at, t.assigned_at FROM task t, generate_series(1, $2) WHERE t.id = $1`,
      [id, n],
    );
  await add(999);
  assert.deepEqual((await read(reader.token, '?limit=1')).body.counts.tasks, { open: 1_000, overdue: 0 });
  await add(1);
  assert.deepEqual((await read(reader.token, '?limit=1')).body.counts.tasks, { open: 1_000, overdue: 0, isLowerBound: true });
  let found = 0;
  for (let query: string | undefined = '?limit=500'; query !== undefined;) {
    const { body, next } = await read(reader.token, query);
    found += body.items.length;
    query = next;
  }
  assert.equal(found, 1_001);
});
