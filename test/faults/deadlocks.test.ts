import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { createThrottle } from '#credentials';
import type { HostedService } from '../hosted-service.ts';
import { bookIn, nextMonday, plainCalendar } from '../bookings.ts';
import { type TestResponse, type Chancery, startChancery, type User } from '../harness.ts';
import { mcpToken } from '../mcp.ts';
import { authPath, goodPassword, registered, signIn } from '../people.ts';
import { firstStaff, staffToken } from '../staff.ts';
import { runTimers } from '../timers.ts';

/* Concurrent operations on the same resources acquire locks in one order (docs/internals/locks.md), so the database reports no deadlock. */

let chancery: Chancery;
/** The node that receives the requests. Once its connections close, the database has counted every deadlock. */
let node: HostedService;
before(async () => {
  // Few users send all requests at once, so rate limits are off.
  const unlimited = {
    RATE_LIMIT_PER_MINUTE: '0',
    TOKEN_REQUESTS_AT_ONCE: '1000',
    TEAM_REQUESTS_AT_ONCE: '1000',
    TEAM_REQUESTS_WAITING: '1000',
  };
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', DATABASE_CONNECTIONS: '24', ...unlimited, ...firstStaff } });
  node = await chancery.node('api');
});
after(() => chancery.stop());

async function deadlocks(): Promise<number> {
  const { rows } = await chancery.pool.query('SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()');
  return rows[0].n;
}

test('attempts of the same users are counted and reset concurrently in any order without a deadlock', async () => {
  const throttle = createThrottle(randomBytes(32));
  const { database } = chancery;
  const people = ['a@example.org', 'b@example.org', 'c@example.org'];
  const bucketsOf = (person: string) => [...throttle.signIn(person, undefined, 'unknown device'), ...throttle.secondFactor(person)];
  for (let round = 0; round < 3; round += 1) {
    const all = people.flatMap(bucketsOf);
    const concurrent = Array.from({ length: 8 }, (_, n) => {
      const buckets = n % 2 === 0 ? all : all.toReversed();
      return n % 4 < 2
        ? database.withoutTeam((tx) => throttle.take(tx, buckets))
        : database.withoutTeam((tx) => throttle.clear(tx, buckets));
    });
    await Promise.all(concurrent);
  }
});

type Person = User & { refreshTokens: string[]; otherSession: string };
/** Concurrent changes of the same resources, and the calls that end these resources. Those run after the changes. */
type Calls = { changes: Call[]; ends: Call[] };
type Call = () => Promise<TestResponse | { status: number; text: string }>;

const at = (method: string, path: string, { token }: { token: string }, body?: unknown): Call => {
  return async () => {
    const response = await fetch(`${node.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: `${method} ${path}: ${await response.text()}` };
  };
};

/** Creates a colleague with a password and several devices. */
async function colleague(team: string, from: string, role: 'admin' | 'member'): Promise<Person> {
  const person = await chancery.user(team, { role });
  await chancery.pool.query('UPDATE person SET password_hash = (SELECT password_hash FROM person WHERE id = $2) WHERE id = $1', [
    person.id,
    from,
  ]);
  const signed = [
    await signIn(chancery, person.email),
    await signIn(chancery, person.email),
    await signIn(chancery, person.email),
  ] as const;
  return {
    ...person,
    otherSession: decodeJwt(signed[0].body.accessToken).sid as string,
    refreshTokens: signed.map(({ headers }) => /refresh_token=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''),
  };
}

type World = { owner: User; admins: Person[]; person: Person; leaver: User; staff: string };

async function made(world: World, path: string, body: unknown): Promise<any> {
  const answer = await chancery.call('POST', path, { token: world.owner.token, body });
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.body;
}

const [folders, documents, workflows, webhooks, interfaces, registries, agents] = [
  '/api/v1/smartdoc/folders',
  '/api/v1/smartdoc/documents',
  '/api/v1/workflows',
  '/api/v1/webhooks',
  '/api/v1/interfaces',
  '/api/v1/registries',
  '/ws/api/agents',
];

/** Returns all operations on the folders and documents of one tree. */
async function contents(world: World): Promise<Calls> {
  const { owner, person } = world;
  const top = await made(world, `${folders}/`, { name: `Top ${randomBytes(4).toString('hex')}` });
  const [a, b] = [
    await made(world, `${folders}/`, { name: 'A', parentId: top.id }),
    await made(world, `${folders}/`, { name: 'B', parentId: top.id }),
  ];
  const inner = await made(world, `${folders}/`, { name: 'Inner', parentId: a.id });
  const document = await made(world, `${documents}/`, { title: 'D', folderId: inner.id });
  const of = (id: string) => `${folders}/${id}`;
  const doc = `${documents}/${document.id}`;
  const changes = [
    at('PUT', of(a.id), owner, { description: 'New' }),
    at('PATCH', `${of(inner.id)}/move`, owner, { parentId: b.id }),
    at('PATCH', `${of(inner.id)}/move`, owner, { parentId: a.id }),
    at('PATCH', `${of(b.id)}/move`, owner, { parentId: a.id }),
    at('POST', `${folders}/`, owner, { name: 'More', parentId: inner.id }),
    at('POST', `${of(a.id)}/shares`, owner, { userId: person.id, access: 'write' }),
    at('PUT', `${of(top.id)}/barrier`, owner, { userIds: [person.id] }),
    at('DELETE', `${of(top.id)}/barrier`, owner),
    at('POST', `${of(a.id)}/restore`, owner),
    at('POST', `${of(inner.id)}/restore`, owner),
    at('PUT', doc, owner, { title: 'New' }),
    at('PATCH', `${doc}/move`, owner, { folderId: b.id }),
    at('PATCH', `${doc}/move`, owner, { folderId: inner.id }),
    at('POST', `${doc}/access`, owner, { userId: person.id, access: 'read' }),
    at('POST', `${doc}/restore`, owner),
    at('POST', `${documents}/`, owner, { title: 'More', folderId: b.id }),
  ];
  const ends = [at('DELETE', of(a.id), owner), at('DELETE', of(inner.id), owner), at('DELETE', doc, owner)];
  return { changes, ends };
}

/** Returns the operations on a workflow of a document, on its tasks, and on tasks of members in offboarding. */
async function work(world: World): Promise<Calls> {
  const { owner, person, leaver } = world;
  const document = await made(world, `${documents}/`, { title: 'Worked on' });
  const steps = [
    { id: 'a', type: 'task', assignedTo: person.id },
    { id: 'b', type: 'review', assignedTo: leaver.id },
  ];
  const [one, other] = [
    await made(world, `${workflows}/`, { name: 'One', documentId: document.id, steps }),
    await made(world, `${workflows}/`, { name: 'Other', documentId: document.id, steps }),
  ];
  const started = await made(world, `${workflows}/${one.id}/start`, undefined);
  const taskId = started.steps[0].taskIds[0];
  const task = await made(world, '/api/v1/tasks/', { title: 'Own', assignedTo: leaver.id });
  const changes = [
    ...['pause', 'resume', 'start'].flatMap((what) => [one, other].map(({ id }) => at('POST', `${workflows}/${id}/${what}`, owner))),
    at('PUT', `${workflows}/${one.id}`, owner, { name: 'New' }),
    at('PUT', `${workflows}/${other.id}`, owner, { name: 'New', steps }),
    at('POST', `/api/v1/tasks/${taskId}/reassign`, owner, { userId: leaver.id }),
    at('POST', `/api/v1/tasks/${taskId}/comments`, owner, { text: 'Seen' }),
    at('POST', `/api/v1/tasks/${task.id}/reassign`, owner, { userId: person.id }),
    async () => {
      await runTimers(chancery, new Date(Date.now() + 3_600_000));
      return { status: 200, text: '' };
    },
  ];
  const ends = [
    at('DELETE', `${workflows}/${other.id}`, owner),
    at('DELETE', `${documents}/${document.id}`, owner),
    at('POST', `/api/v1/tasks/${taskId}/complete`, person, { outcome: 'completed' }),
    at('POST', `/api/v1/tasks/${task.id}/complete`, leaver, { outcome: 'completed' }),
    ...[one, other].map(({ id }) => at('POST', `${workflows}/${id}/cancel`, owner)),
  ];
  return { changes, ends };
}

/** Returns the operations on forms that store answers in a folder and notify members. A member who leaves owns one form. */
async function forms(world: World): Promise<Calls> {
  const { owner, person, leaver } = world;
  const folder = await made(world, `${folders}/`, { name: `Answers ${randomBytes(4).toString('hex')}` });
  const form = { title: 'F', type: 'form', fields: [{ id: 'a', type: 'text', label: 'A' }], config: { folderId: folder.id } };
  const own = await made(world, `${interfaces}/`, form);
  const theirs = await made({ ...world, owner: leaver }, `${interfaces}/`, { ...form, config: {} });
  const changes = [own, theirs].flatMap(({ id }) => [
    at('PUT', `${interfaces}/${id}`, owner, { config: { notify: [leaver.id, person.id] } }),
    at('PUT', `${interfaces}/${id}`, owner, { config: { folderId: folder.id, notify: [person.id, leaver.id] } }),
    at('PUT', `${interfaces}/${id}`, owner, { config: { folderId: null, notify: [] } }),
    at('POST', `${interfaces}/${id}/publish`, owner, { revision: 1 }),
    at('POST', `${interfaces}/${id}/publish`, owner, { revision: 2 }),
    at('POST', `${interfaces}/${id}/shares`, owner, { userId: leaver.id, rights: ['edit'] }),
    at('POST', `${interfaces}/${id}/rotate-token`, owner, { channel: 'public' }),
    at('PUT', `${folders}/${folder.id}/barrier`, owner, { userIds: [person.id] }),
    at('DELETE', `${folders}/${folder.id}/barrier`, owner),
  ]);
  const ends = [
    at('POST', `${interfaces}/${own.id}/close`, owner),
    at('DELETE', `${interfaces}/${own.id}`, owner),
    at('DELETE', `${folders}/${folder.id}`, owner),
  ];
  return { changes, ends };
}

/** Returns the operations on registry records with unique values and references to each other. */
async function records(world: World): Promise<Calls> {
  const { owner, person, leaver } = world;
  const fields = [
    { id: 'name', type: 'text', label: 'Name', unique: true },
    { id: 'code', type: 'text', label: 'Code', unique: true },
  ];
  const registry = await made(world, `${registries}/`, { name: `R ${randomBytes(4).toString('hex')}`, fields });
  const of = `${registries}/${registry.id}`;
  const [one, other] = [
    await made(world, `${of}/records/`, { data: { name: 'One', code: '1' } }),
    await made(world, `${of}/records/`, { data: { name: 'Other', code: '2' } }),
  ];
  const table = new FormData();
  table.set('file', new Blob(['name,code\nOne,3\nOther,1\nMore,4\n'], { type: 'text/csv' }), 'records.csv');
  const changes = [
    ...[one, other].flatMap(({ id }) => [
      at('PATCH', `${of}/records/${id}`, owner, { data: { name: 'One', code: '2' } }),
      at('PUT', `${of}/records/${id}`, owner, { data: { name: 'Other', code: '1' } }),
      at('POST', `${of}/records/${id}/revert`, owner, { version: 1 }),
      at('POST', `${of}/records/${id}/restore`, owner),
    ]),
    at('POST', `${of}/records/`, owner, { data: { name: 'One', code: '2' } }),
    () => chancery.call('POST', `${of}/records/import`, { token: owner.token, body: table }),
    at('PUT', of, owner, { description: 'New' }),
    at('PUT', of, owner, { name: `S ${randomBytes(4).toString('hex')}` }),
    at('POST', `${of}/access`, owner, { userId: person.id, access: 'write' }),
    at('POST', `${of}/access`, owner, { userId: leaver.id, access: 'read' }),
    at('POST', `${of}/restore`, owner),
  ];
  const ends = [...[one, other].map(({ id }) => at('DELETE', `${of}/records/${id}`, owner)), at('DELETE', of, owner)];
  return { changes, ends };
}

/** Returns the operations on a calendar and its bookings, for the team and the visitor. */
async function appointments(world: World): Promise<Calls> {
  const { owner } = world;
  const form = await made(world, `${interfaces}/`, { title: 'B', type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] });
  const of = `${interfaces}/${form.id}`;
  const calendar = { ...plainCalendar, capacity: 2, confirmation: 'manual' };
  assert.equal((await chancery.call('PUT', `${of}/calendar`, { token: owner.token, body: calendar })).status, 200);
  const booked = [
    await bookIn(chancery, owner.team, form.id, { email: 'one@example.org' }),
    await bookIn(chancery, owner.team, form.id, { email: 'other@example.org' }),
  ];
  const changes = [
    at('PUT', `${of}/calendar`, owner, { ...calendar, capacity: 1 }),
    at('PUT', `${of}/calendar`, owner, calendar),
    at('PUT', `${of}/calendar/busy`, owner, { addresses: [] }),
    at('POST', `${of}/calendar/feed`, owner),
    at('PUT', of, owner, { title: 'New' }),
    ...booked.flatMap(({ bookingId, manageToken }) => [
      at('POST', `${of}/bookings/${bookingId}/move`, owner, { start: `${nextMonday()}T11:00:00Z` }),
      at('POST', `${of}/bookings/${bookingId}/move`, owner, { start: `${nextMonday()}T12:00:00Z` }),
      at('POST', `${interfaces}/booking/${owner.team}/${manageToken}/reschedule`, owner, { start: `${nextMonday()}T12:00:00Z` }),
      at('POST', `${of}/bookings/${bookingId}/confirm`, owner),
    ]),
  ];
  const ends = [
    ...booked.map(({ bookingId }) => at('POST', `${of}/bookings/${bookingId}/decline`, owner, {})),
    ...booked.map(({ manageToken }) => at('POST', `${interfaces}/booking/${owner.team}/${manageToken}/cancel`, owner)),
    at('POST', `${of}/close`, owner),
    at('DELETE', of, owner),
  ];
  return { changes, ends };
}

/** Returns the operations on an agent, its shares, texts, jobs and runs. */
async function helpers(world: World): Promise<Calls> {
  const { owner, admins, person, leaver } = world;
  const [admin] = admins as [Person];
  const [agent, other] = [await made(world, `${agents}/`, { name: 'A' }), await made(world, `${agents}/`, { name: 'B' })];
  const jobs = await Promise.all(
    [agent, other].map(({ id }) => made(world, `${agents}/cron`, { name: 'J', agentId: id, cron: '0 0 1 1 *', message: 'Look' })),
  );
  const of = `${agents}/${agent.id}`;
  const skill = `s-${randomBytes(4).toString('hex')}`;
  const content = `---\nname: ${skill}\ndescription: Does it.\n---\n`;
  await made(world, `${agents}/skills`, { content, agentIds: [agent.id, other.id] });
  const changes = [
    at('PATCH', of, owner, { description: 'New' }),
    at('PATCH', of, owner, { skills: ['nda-review', skill] }),
    at('PUT', `${agents}/skills/file?name=${skill}`, admin, { content: `${content}New` }),
    at('POST', `${of}/revert`, owner, { version: 1 }),
    at('POST', `${of}/stop`, owner, { reason: 'Enough' }),
    at('POST', `${of}/start`, owner),
    at('POST', `${agents}/stop`, admin, { reason: 'Enough' }),
    at('POST', `${agents}/start`, admin),
    at('POST', `${of}/shares`, owner, { userId: leaver.id }),
    at('POST', `${of}/shares`, owner, { userId: person.id }),
    at('PUT', `${of}/files/notes.md`, owner, { content: 'One' }),
    at('PUT', `${of}/files/notes.md`, admin, { content: 'Two' }),
    at('POST', `${agents}/presets/apply`, owner, { presetId: 'policy-librarian', agentId: agent.id }),
    ...jobs.flatMap(({ id }) => [
      at('PATCH', `${agents}/cron/${id}`, owner, { agentId: other.id }),
      at('PATCH', `${agents}/cron/${id}`, owner, { agentId: agent.id }),
      ...['run', 'pause', 'resume', 'take-over'].map((what) => at('POST', `${agents}/cron/${id}/${what}`, what === 'run' ? owner : admin)),
    ]),
  ];
  const ends = [
    at('DELETE', `${agents}/skills/${skill}`, admin),
    at('DELETE', `${agents}/cron/${jobs[0].id}`, owner),
    at('DELETE', of, owner),
    at('DELETE', `${agents}/${other.id}`, owner),
  ];
  return { changes, ends };
}

/** Returns calls of a connected app over MCP that need approval, and the operations on the approval tasks. */
async function connectedAppCalls(world: World): Promise<Calls> {
  const { owner, admins } = world;
  const [admin] = admins as [Person];
  const about = await made(world, '/api/v1/tasks/', { title: 'About' });
  const client = await made(world, '/api/v1/security/clients/', { name: 'M', scopes: ['tasks:read', 'tasks:write'] });
  const token = await mcpToken(chancery, { id: client.clientId, secret: client.clientSecret });
  const call = (name: string, given: object) => async () => {
    const response = await fetch(`${node.address}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
    });
    const text = await response.text();
    const value = response.status === 200 ? JSON.parse(text).result?.structuredContent : undefined;
    // A failed tool call is an HTTP 200 response with an error inside.
    const status = typeof value?.status === 'number' ? value.status : response.status;
    return { status, text: `${name}: ${text}`, task: value?.taskId as string };
  };
  const calls = [
    call('create_task', { title: 'One' }),
    call('comment_on_task', { id: about.id, text: 'One' }),
    call('comment_on_task', { id: about.id, text: 'Two' }),
  ];
  const tasks = (await Promise.all(calls.map((one) => one()))).map(({ task }) => `/api/v1/tasks/${task}`);
  assert.equal(tasks.filter((task) => /[0-9a-f-]{36}$/.test(task)).length, calls.length, 'each call needs an approval');
  const changes = [
    ...calls,
    ...calls,
    ...tasks.flatMap((task) => [
      at('POST', `${task}/complete`, owner, { outcome: 'approved' }),
      at('POST', `${task}/complete`, admin, { outcome: 'denied' }),
      at('POST', `${task}/reassign`, owner, { userId: admin.id }),
    ]),
    at('PATCH', `/api/v1/tasks/${about.id}`, owner, { title: 'About something else' }),
    at('PATCH', `/api/v1/security/clients/${client.id}`, owner, { name: 'New' }),
  ];
  const ends = [at('DELETE', `/api/v1/security/clients/${client.id}`, owner), at('POST', `/api/v1/tasks/${about.id}/complete`, owner, {})];
  return { changes, ends };
}

/** Returns the operations on members: roles, sessions and sign-in attempts. */
async function members(world: World): Promise<Calls> {
  const { owner, admins, person, leaver, staff } = world;
  const member = (id: string) => `/api/v1/team/members/${id}`;
  const login = (password: string) => at('POST', `${authPath}/login`, { token: 'x' }, { email: person.email, password });
  const refreshes = person.refreshTokens.map((refreshToken) => at('POST', `${authPath}/refresh`, { token: 'x' }, { refreshToken }));
  const byStaff = (what: string, { id }: { id: string }) =>
    at('POST', `/api/v1/staff/users/${id}/${what}`, { token: staff }, { reason: 'asked for' });
  const invited = await made(world, '/api/v1/team/invitations', { email: `${randomBytes(4).toString('hex')}@example.org`, role: 'member' });
  const [first, second] = admins as [Person, Person];
  const changes = [
    ...refreshes,
    ...refreshes.toReversed(),
    login(goodPassword),
    login('wrong'),
    at('PUT', `${authPath}/profile`, person, { firstName: 'Grace' }),
    at('POST', `${authPath}/request-password-reset`, person, { email: person.email }),
    byStaff('unlock', person),
    byStaff('disable-2fa', person),
    at('PATCH', member(second.id), first, { role: 'member' }),
    at('PATCH', member(first.id), second, { role: 'member' }),
    at('PATCH', member(leaver.id), owner, { role: 'viewer' }),
    at('PATCH', '/api/v1/team', owner, { name: 'Walked & Partners' }),
    at('POST', `/api/v1/team/invitations/${invited.id}/resend`, owner),
    at('POST', '/api/v1/team/invitations', owner, { email: invited.email, role: 'viewer' }),
  ];
  const ends = [
    at('DELETE', `${authPath}/sessions/${person.otherSession}`, person),
    at('DELETE', member(leaver.id), owner),
    at('POST', '/api/v1/team/leave', leaver),
    at('DELETE', `/api/v1/team/invitations/${invited.id}`, owner),
    at('PATCH', member(leaver.id), owner, { isActive: false }),
    byStaff('revoke-sessions', leaver),
    byStaff('revoke-sessions', person),
  ];
  return { changes, ends };
}

/** Returns the operations on endpoints, clients and connections to providers of a team. */
async function machines(world: World): Promise<Calls> {
  const { owner } = world;
  const endpoint = await made(world, `${webhooks}/`, {
    name: 'A',
    url: 'https://receiver.example/hook',
    events: ['folder.created', 'webhook.test'],
  });
  const client = await made(world, '/api/v1/security/clients/', { name: 'A', scopes: ['tasks:read'] });
  const connection = await made(world, '/api/v1/team/sso', { issuer: 'https://login.example', clientId: 'a', clientSecret: 'secret' });
  const hook = `${webhooks}/${endpoint.id}`;
  const owned = `/api/v1/security/clients/${client.id}`;
  const grant = new URLSearchParams({ grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret });
  const changes = [
    at('PATCH', hook, owner, { name: 'New' }),
    at('PATCH', hook, owner, { isActive: false }),
    at('POST', `${hook}/rotate-secret`, owner, {}),
    at('POST', `${hook}/test`, owner),
    at('PUT', `${hook}/settings`, owner, { description: 'Of the archive' }),
    at('POST', `${hook}/recover`, owner, { since: new Date(Date.now() - 60_000).toISOString() }),
    at('PATCH', owned, owner, { name: 'New', scopes: ['tasks:read', 'folders:read'] }),
    at('POST', `${owned}/rotate-secret`, owner, {}),
    async () => {
      const response = await fetch(`${node.address}/oauth/token`, { method: 'POST', body: grant });
      return { status: response.status, text: await response.text() };
    },
    at('PATCH', `/api/v1/team/sso/${connection.id}`, owner, { trustMfa: true }),
  ];
  const ends = [at('DELETE', hook, owner), at('DELETE', owned, owner), at('DELETE', `/api/v1/team/sso/${connection.id}`, owner)];
  return { changes, ends };
}

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => [Math.random(), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);

/** Returns the actions of a member who leaves, and the transfers to that member. Workflows of a colleague use a document of the member. */
async function transferCalls(owner: User, leaver: User): Promise<Call[]> {
  const creator = await chancery.user(owner.team);
  const by = async (who: User, path: string, body?: unknown): Promise<any> => {
    const answer = await chancery.call('POST', path, { token: who.token, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const document = await by(leaver, `${documents}/`, { title: 'Theirs' });
  await by(leaver, `${documents}/${document.id}/access`, { userId: creator.id, access: 'write' });
  const form = await by(creator, `${interfaces}/`, { title: 'F', type: 'form' });
  const theirs = await by(leaver, `${interfaces}/`, { title: 'Theirs', type: 'form' });
  const steps = [
    { id: 'a', type: 'task', assignees: [creator.id] },
    { id: 'b', type: 'approval', assignees: [leaver.id] },
  ];
  const flows = await Promise.all([1, 2, 3].map(() => by(creator, `${workflows}/`, { name: 'W', documentId: document.id, steps })));
  const [one, other, third] = flows.map(({ id }) => id as string);
  const started = await by(creator, `${workflows}/${one}/start`);
  const upload = new FormData();
  upload.set('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
  return [
    at('PUT', `${workflows}/${one}`, creator, { steps, assignedTo: leaver.id }),
    at('PUT', `${workflows}/${other}`, creator, { steps: [steps[1]] }),
    at('POST', `${workflows}/${third}/start`, creator),
    at('POST', `/api/v1/tasks/${started.steps[0].taskIds[0]}/complete`, creator, {}),
    at('POST', `/api/v1/tasks/${started.steps[0].taskIds[0]}/reassign`, owner, { userId: leaver.id }),
    at('POST', '/api/v1/tasks', creator, { title: 'T', documentId: document.id, assignedTo: leaver.id }),
    at('POST', `${workflows}/`, creator, { name: 'X', documentId: document.id, steps }),
    at('PUT', `${documents}/${document.id}`, creator, { title: 'New' }),
    at('POST', `${interfaces}/${form.id}/shares`, creator, { userId: leaver.id, rights: ['edit'] }),
    at('PUT', `${interfaces}/${form.id}`, creator, { config: { notify: [leaver.id] } }),
    at('POST', `${interfaces}/`, leaver, { title: 'More', type: 'form' }),
    ...[1, 2, 3].map(() => at('PUT', `${interfaces}/${theirs.id}`, owner, { config: { notify: [creator.id, leaver.id] } })),
    () => chancery.call('POST', `${documents}/${document.id}/versions`, { token: creator.token, body: upload }),
  ];
}

test(
  'a transfer to a member during offboarding completes before it or waits for it, whichever way the member leaves',
  { timeout: 600_000 },
  async () => {
    const { owner } = await chancery.team();
    const failed: string[] = [];
    for (const leaves of [
      (leaver: User) => at('DELETE', `/api/v1/team/members/${leaver.id}`, owner),
      (leaver: User) => at('POST', '/api/v1/team/leave', leaver),
      (leaver: User) => at('DELETE', `${authPath}/profile`, leaver),
    ]) {
      const leavers = await Promise.all([1, 2, 3].map(() => chancery.user(owner.team)));
      const calls = await Promise.all(leavers.map(async (leaver) => [...(await transferCalls(owner, leaver)), leaves(leaver)]));
      for (const some of calls) {
        const answers = await Promise.all(shuffled([...some, ...some.slice(0, -1)]).map((call) => call()));
        failed.push(...answers.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`));
      }
      const { rows } = await chancery.pool.query(
        `SELECT 'task' FROM task WHERE assigned_to = ANY ($1) AND status = 'open'
       UNION ALL SELECT 'grant' FROM access_grant WHERE user_id = ANY ($1)
       UNION ALL SELECT 'interface' FROM interface WHERE owner_id = ANY ($1)
       UNION ALL SELECT 'step' FROM workflow_step s JOIN workflow w USING (team_id) WHERE w.id = s.workflow_id AND s.assignees && $1::uuid[]
         AND w.status IN ('draft', 'active', 'paused')`,
        [leavers.map(({ id }) => id)],
      );
      assert.deepEqual(rows, [], 'a former member owns nothing');
    }
    assert.deepEqual(failed, []);
  },
);

test(
  'each pair of concurrent changes of the same resources causes no deadlock and no error, in either order',
  { timeout: 600_000 },
  async () => {
    const [{ owner }, template, staff] = [await chancery.team(), await registered(chancery), await staffToken(chancery)];
    const failed: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [first, second, person] = await Promise.all(
        (['admin', 'admin', 'member'] as const).map((role) => colleague(owner.team, template.id, role)),
      );
      assert.ok(first && second && person);
      const world = { owner, admins: [first, second], person, leaver: await chancery.user(owner.team), staff };
      const all: Calls[] = [];
      for (const some of [contents, work, members, machines, forms, records, appointments, helpers, connectedAppCalls])
        all.push(await some(world));
      const changes = all.flatMap((one) => one.changes);
      const ends = all.flatMap((one) => one.ends);
      for (const calls of [
        [...changes, ...changes],
        [...changes, ...ends, ...ends],
      ]) {
        const answers = await Promise.all(shuffled(calls).map((call) => call()));
        failed.push(...answers.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`));
      }
    }
    assert.deepEqual(failed, []);
    await node.stop();
    assert.equal(await deadlocks(), 0);
  },
);
