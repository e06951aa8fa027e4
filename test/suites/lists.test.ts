import { insertSessions } from '../memberships.ts';
import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type User } from '../harness.ts';

/** Operations that return a list without pages, each with the limit of its length. */
const bounded: Record<string, string> = {
  'GET /api/v1/security/auth/passkeys': 'a person has at most 20',
  'GET /api/v1/security/auth/identities': 'one for each issuer of at most 10 connections',
  'GET /api/v1/security/auth/teams': 'a person is a member of at most 50 teams',
  'GET /api/v1/team/members/{userId}/identities': 'one for each issuer of at most 10 connections',
  'GET /api/v1/security/auth/connected-apps': 'a person has at most 50',
  'GET /api/v1/webhooks/event-types': 'the catalogue of this version',
  'GET /api/v1/webhooks/{id}/deliveries/{deliveryId}/attempts': 'attempts of one delivery, which have a maximum number',
  'GET /api/v1/team/directories': 'a team has at most 5',
  'GET /api/v1/team/directories/{id}': 'a directory has at most 50 role groups',
  'GET /api/v1/team/directories/{id}/tokens': 'a directory has at most two valid ones',
  'GET /api/v1/team/sso/{id}': 'a connection has at most 50 domains',
  'GET /api/v1/interfaces/{id}/shares': 'one for each member of the team',
  'GET /api/v1/interfaces/{id}/access': 'one for each member of the team',
  'GET /api/v1/interfaces/{id}/submissions/{submissionId}': 'five kinds of effects, and ten files',
  'GET /api/v1/interfaces/{id}/submissions/{submissionId}/trace': 'five kinds of effects, and ten outputs',
  'GET /api/v1/interfaces/{id}/statistics': 'at most 367 days, of two channels',
  'GET /api/v1/interfaces/{id}': 'an interface has at most 500 fields',
  'GET /api/v1/interfaces/public/{token}': 'an interface has at most 500 fields',
  'GET /api/v1/interfaces/api/{token}': 'an interface has at most 500 fields',
  'GET /api/v1/interfaces/public/{token}/suggest': 'at most 20 are suggested',
  'GET /api/v1/interfaces/public/{token}/registry/{registryTypeId}': 'at most 50 are shown',
  'GET /api/v1/workflows/{id}': 'a workflow has at most 200 steps',
  'GET /api/v1/workflows/templates/{name}': 'a template has at most 200 steps',
  'GET /api/v1/smartdoc/labels': 'the 500 commonest',
  'GET /api/v1/workflows/{id}/access': 'the assignees of its tasks, and managers',
  'GET /api/v1/interfaces/public/{token}/availability': 'the slots of 62 days',
  'GET /api/v1/interfaces/booking/{teamId}/{token}/availability': 'the slots of 62 days',
  'GET /api/v1/interfaces/{id}/calendar': 'weekly hours, 400 exception days, and 100 conflicts',
  'GET /api/v1/interfaces/{id}/calendar/slots': 'the slots of 62 days',
  'GET /api/v1/interfaces/{id}/calendar/busy': 'a calendar has at most five',
  'GET /.well-known/jwks.json': 'the keys of the service',
  'GET /.well-known/witness-jwks.json': 'the keys of the service',
  'GET /.well-known/webhook-jwks.json': 'the keys of the service',
  'GET /.well-known/evidence-jwks.json': 'the keys of the service',
  'GET /api/v1/signatures/{id}/evidence': 'a request has at most 1 000 proofs',
  'GET /api/v1/signatures/{id}': 'a request has at most 100 signers, and 500 fields',
  'GET /api/v1/signatures/public/{token}': 'a request has at most 100 signers, and 500 fields',
  'GET /.well-known/seal-authority.pem': 'one',
  'GET /.well-known/seal-certificates.pem': 'the newest 1 000 of the service',
  'GET /dev/mail.json': 'the newest 200, in development',
  'GET /api/v1/team/usage': 'one for each quota',
  'GET /api/v1/team/working-time': 'ten working days, ten holidays, and 400 days of the team',
  'GET /api/v1/staff/teams/{id}/quotas': 'one for each quota',
  'GET /api/v1/team/invitations/{id}': 'the 100 resources of a guest',
  'GET /api/v1/team/auditors/{userId}': 'the 100 resources of a seat',
  'GET /api/v1/team/invitations/received': 'open invitations of one address, limited by throttles',
  'GET /ws/api/agents/{agentId}/shares': 'one for each member of the team',
  'GET /ws/api/agents/{agentId}/callers': 'an agent has at most 100',
  'GET /api/v1/approval-policies/{name}': 'a policy has at most 50 rules',
  'GET /api/v1/approvals/{id}': 'a round has at most 50 candidates',
  'GET /ws/api/agents/skills': 'a team has at most 1 000',
  'GET /ws/api/agents/skills/{skillName}': 'a skill has at most 256 files, and 200 findings',
  'GET /ws/api/agents/skills/{skillName}/versions': 'the newest 20 are kept',
  'GET /ws/api/agents/skills/file': 'at most 200 findings',
  'GET /ws/api/agents/mcp-servers': 'a team has at most 20',
  'GET /ws/api/agents/mcp-servers/{serverId}': 'a server has at most 100 tools, and 20 rejected tools',
  'GET /ws/api/agents/presets': 'the built-in presets',
  'GET /ws/api/agents/presets/{id}': 'a preset has a few files',
  'GET /ws/api/agents/tools': 'the tools of all domains',
  'GET /ws/api/agents/runs/{id}/transcript': 'a run has at most 200 steps of 64 calls, and 8 MiB in all',
  'GET /ws/api/agents/{agentId}/files': 'an agent has at most 200 files',
  'GET /ws/api/agents/{agentId}/files/{fileName}': 'at most 20 warnings',
  'GET /ws/api/agents/{agentId}/file-versions': 'the newest 200',
  'GET /ws/api/agents/{agentId}/versions': 'the newest 100 are kept',
  'GET /api/v1/smartdoc/retention-rules': 'a team has at most 200',
  'GET /api/v1/smartdoc/folders/{id}/shares': 'one for each member of the team',
  'GET /api/v1/matters/{id}/access': 'one for each member and group',
  'GET /api/v1/smartdoc/folders/{id}/access': 'one for each member and API client',
  'GET /api/v1/smartdoc/documents/{id}/access': 'one for each member and API client',
  'GET /api/v1/smartdoc/documents/{id}/template': 'a document has at most 500 places for signatures',
  'GET /api/v1/signatures/bulk/{id}/rows': 'a batch has at most 1 000 rows',
  'GET /api/v1/document-templates/library': 'the built-in templates',
  'GET /api/v1/document-templates/{id}': 'a template has at most 20 files',
  'GET /api/v1/document-templates/{id}/versions': 'the newest 200 are kept',
  'GET /api/v1/document-templates/{id}/versions/{version}': 'a template has at most 20 files',
  'GET /api/v1/document-templates/{id}/access': 'one for each member of the team',
  'GET /api/v1/registries/{id}': 'a registry has at most 100 fields',
  'GET /api/v1/registries/{typeId}/imports/{id}': 'the first 1 000 errors of a file',
  'GET /api/v1/registries/{id}/access': 'one for each member of the team',
  'GET /api/v1/barriers/{id}/emergency-access': 'a caller requests one at a time, and only usable ones are kept',
  'GET /api/v1/smartdoc/documents/{id}/compare': 'at most 500 changes, of 2 000 characters each',
  'GET /api/v1/smartdoc/documents/{id}/versions': 'versions of one document, which count against the storage quota',
};

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

/** Whether a response is a list or has a member that is a list of objects. */
function holdsList(schema: any): boolean {
  if (schema?.type === 'array') return true;
  return Object.values(schema?.properties ?? {}).some((member: any) => member?.type === 'array' && member.items?.type === 'object');
}

test('every list has pages or a limited length', () => {
  const lists = chancery.description.operations.filter(
    ({ method, responses }) => method === 'GET' && holdsList(responses['200']?.content?.['application/json']?.schema),
  );
  assert.ok(lists.length > 15);
  const open = lists.filter(({ parameters }) => !parameters.some(({ name, schema }) => name === 'limit' && schema.maximum <= 1_000));
  assert.deepEqual(
    open.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`).filter((name) => !(name in bounded)),
    [],
    'accept `limit` and `cursor` (platform/http/page.ts), or add the limit of the list to this file',
  );
});

test('the pages of sessions contain each session once, the last used first', async () => {
  const { owner } = await chancery.team();
  const ids = Array.from({ length: 40 }, () => randomUUIDv7());
  await insertSessions(chancery.pool, owner.team, owner.id, ids, { last_used_at: 'now() - make_interval(mins => (n / 3)::int)' });
  const seen: string[] = [];
  let path: string | undefined = '/api/v1/security/auth/sessions?limit=7';
  while (path !== undefined) {
    const page = await chancery.call('GET', path, { token: owner.token });
    assert.equal(page.status, 200, page.text);
    assert.ok(page.body.length <= 7);
    seen.push(...page.body.map(({ id }: { id: string }) => id));
    path = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.equal(seen.length, 41);
  assert.equal(new Set(seen).size, 41);
  const whole = await chancery.call('GET', '/api/v1/security/auth/sessions', { token: owner.token });
  assert.deepEqual(
    whole.body.map(({ id }: { id: string }) => id),
    seen,
  );
  for (const cursor of ['x', Buffer.from(JSON.stringify([randomUUIDv7(), 'x'])).toString('base64url')])
    assert.equal((await chancery.call('GET', `/api/v1/security/auth/sessions?cursor=${cursor}`, { token: owner.token })).status, 400);
});

/** Lists of resources that change, by path. `make` creates a resource and `change` changes it. */
const changing: Record<string, { make: (by: User, n: number) => Promise<any>; change: (by: User, id: string) => Promise<any> }> = {};
const made = async (by: User, method: string, path: string, body?: unknown) => {
  const answer = await chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};
const list = (path: string, make: (by: User, n: number) => Promise<any>, change: (id: string) => [string, string, unknown]) => {
  changing[path] = { make, change: (by, id) => made(by, ...change(id)) };
};
list(
  '/api/v1/smartdoc/folders/',
  (by, n) => chancery.folder(by, { name: `F${n}` }),
  (id) => ['PUT', `/api/v1/smartdoc/folders/${id}`, { color: 'red' }],
);
list(
  '/api/v1/smartdoc/documents/',
  (by) => chancery.document(by),
  (id) => ['PUT', `/api/v1/smartdoc/documents/${id}`, { title: 'Changed' }],
);
list(
  '/api/v1/workflows/',
  (by, n) => made(by, 'POST', '/api/v1/workflows/', { name: `W${n}`, documentId: 'DMS-1', steps: [{ id: 'a', type: 'task' }] }),
  (id) => ['PUT', `/api/v1/workflows/${id}`, { name: 'Changed' }],
);
list(
  '/api/v1/tasks/',
  (by, n) => made(by, 'POST', '/api/v1/tasks/', { title: `T${n}`, assignedTo: by.id }),
  (id) => ['POST', `/api/v1/tasks/${id}/complete`, {}],
);
list(
  '/api/v1/registries/',
  (by, n) => made(by, 'POST', '/api/v1/registries/', { name: `R${n}`, fields: [{ id: 'name', type: 'text', label: 'Name' }] }),
  (id) => ['PUT', `/api/v1/registries/${id}`, { description: 'Changed' }],
);
list(
  '/api/v1/document-templates/',
  (by) => made(by, 'POST', '/api/v1/document-templates/library/nda', {}),
  (id) => ['PUT', `/api/v1/document-templates/${id}`, { description: 'Changed' }],
);
list(
  '/ws/api/agents/',
  (by, n) => made(by, 'POST', '/ws/api/agents/', { name: `A${n}` }),
  (id) => ['PATCH', `/ws/api/agents/${id}`, { description: 'Changed' }],
);
list(
  '/ws/api/agents/cron',
  (by, n) => made(by, 'POST', '/ws/api/agents/cron', { name: `J${n}`, cron: '0 0 1 1 *', message: 'Look' }),
  (id) => ['PATCH', `/ws/api/agents/cron/${id}`, { description: 'Changed' }],
);
list(
  '/api/v1/team/members',
  (by) => chancery.user(by.team),
  (id) => ['PATCH', `/api/v1/team/members/${id}`, { role: 'viewer' }],
);
list(
  '/api/v1/security/clients/',
  (by, n) => made(by, 'POST', '/api/v1/security/clients/', { name: `C${n}`, scopes: ['tasks:read'] }),
  (id) => ['PATCH', `/api/v1/security/clients/${id}`, { name: 'Changed' }],
);
list(
  '/api/v1/webhooks/',
  (by, n) => made(by, 'POST', '/api/v1/webhooks/', { name: `E${n}`, url: 'https://receiver.example/hook', events: ['*'] }),
  (id) => ['PATCH', `/api/v1/webhooks/${id}`, { name: 'Changed' }],
);

list(
  '/api/v1/interfaces/',
  (by, n) => made(by, 'POST', '/api/v1/interfaces/', { title: `I${n}`, type: 'form' }),
  (id) => ['PUT', `/api/v1/interfaces/${id}`, { title: 'Changed' }],
);

test('each list of changing resources can be sorted by creation and by change, paged, and filtered by changes since a time', async () => {
  for (const [path, { make, change }] of Object.entries(changing)) {
    const { owner } = await chancery.team();
    const others = (await made(owner, 'GET', path)).map(({ id }: any) => id);
    const [first, second, third] = [await make(owner, 1), await make(owner, 2), await make(owner, 3)].map(({ id }) => id);
    // Resources of the same millisecond are sorted by id.
    const byAge = [first, second, third].toSorted();
    await change(owner, first);
    const changed = (await made(owner, 'GET', path)).find(({ id }: any) => id === first).updatedAt;
    const paged = async (sort: string) => {
      const seen: string[] = [];
      let next: string | undefined = `${path}?sort=${sort}&limit=1`;
      while (next !== undefined) {
        const answer = await chancery.call('GET', next, { token: owner.token });
        assert.equal(answer.status, 200, `${next}: ${answer.text}`);
        seen.push(...answer.body.map(({ id }: { id: string }) => id));
        next = /<[^>]*?(\/(?:ws\/)?api[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return seen.filter((id) => !others.includes(id));
    };
    assert.deepEqual(await paged('createdAt'), byAge, path);
    assert.deepEqual(await paged('-createdAt'), byAge.toReversed(), path);
    assert.deepEqual(await paged('updatedAt'), [second, third, first], path);
    assert.deepEqual(await paged('-updatedAt'), [first, third, second], path);
    const since = await made(owner, 'GET', `${path}?updatedSince=${changed}`);
    assert.deepEqual(
      since.map(({ id }: any) => id),
      [first],
      path,
    );
    for (const cursor of [
      Buffer.from('["x","x"]'),
      Buffer.from(`["now",${JSON.stringify(first)}]`),
      Buffer.from(`["",${JSON.stringify(first)}]`),
    ])
      assert.equal(
        (await chancery.call('GET', `${path}?sort=updatedAt&cursor=${cursor.toString('base64url')}`, { token: owner.token })).status,
        400,
        path,
      );
  }
});

test('the journal and the delivery log can be read in both directions', async () => {
  const { owner } = await chancery.team();
  const endpoint = await made(owner, 'POST', '/api/v1/webhooks/', { name: 'Own', url: 'https://receiver.example/hook', events: ['*'] });
  for (let n = 0; n < 3; n += 1) await chancery.folder(owner);
  for (const [path, things] of [
    ['/api/v1/security/audit', (body: any) => body.events],
    [`/api/v1/webhooks/${endpoint.id}/deliveries`, (body: any) => body],
  ] as const) {
    const read = async (sort: string) => {
      const seen: string[] = [];
      let next: string | undefined = `${path}?limit=2${sort}`;
      while (next !== undefined) {
        const answer: TestResponse = await chancery.call('GET', next, { token: owner.token });
        seen.push(...things(answer.body).map(({ id }: any) => id));
        const cursor = answer.body.nextCursor;
        next =
          cursor === undefined
            ? /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
            : `${path}?limit=2${sort}&cursor=${cursor}`;
      }
      return seen;
    };
    const [newest, oldest] = [await read(''), await read('&sort=createdAt')];
    assert.ok(newest.length >= 3, path);
    assert.deepEqual(oldest, newest.toReversed(), path);
    assert.deepEqual(await read('&sort=-createdAt'), newest, path);
  }
});

test('each list and order rejects a cursor with an invalid time, as it rejects a cursor of another list', async () => {
  const { owner } = await chancery.team();
  const id = randomUUIDv7();
  const times = ['+275760-09-13T00:00:00Z', '2022-13-45 00:00:00+00', '2022-02-30T00:00:00Z', '2022', 'now'];
  const lists = chancery.description.operations.filter(
    ({ method, path, access, parameters }) =>
      method === 'GET' && access === 'user' && !path.includes('{') && parameters.some(({ name }) => name === 'cursor'),
  );
  assert.ok(lists.length > 8);
  for (const { path, parameters } of lists) {
    const sorts: (string | undefined)[] = parameters.find(({ name }) => name === 'sort')?.schema.enum ?? [undefined];
    for (const sort of sorts)
      for (const time of times) {
        const cursor = Buffer.from(JSON.stringify([time, id])).toString('base64url');
        const answer = await chancery.call('GET', `${path}?cursor=${cursor}${sort ? `&sort=${sort}` : ''}`, { token: owner.token });
        const byTitle = /documents/.test(path) && /title/.test(sort ?? '');
        const byAge = sort === undefined ? undefined : /createdAt/.test(sort);
        assert.ok(
          answer.status === 400 || byTitle || (byAge !== false && answer.status === 200),
          `${path} ${sort} ${time}: ${answer.text}`,
        );
      }
  }
});

const counted = async (path: string, by: User, prefer = 'count=exact') => {
  const answer = await chancery.call('GET', path, { token: by.token, headers: { prefer } });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return { items: answer.body.length, total: answer.headers.get('x-total-count'), applied: answer.headers.get('preference-applied') };
};

test('each list counts all items that the caller can see, on each page and in each order', async () => {
  for (const [path, { make }] of Object.entries(changing)) {
    const { owner } = await chancery.team();
    const member = await chancery.user(owner.team);
    for (let n = 1; n <= 3; n += 1) await make(owner, n);
    const { status } = await chancery.call('GET', path, { token: member.token });
    for (const by of status === 403 ? [owner] : [owner, member]) {
      const { length } = await made(by, 'GET', path);
      if (by === owner) assert.ok(length >= 3, path);
      assert.deepEqual(await counted(path, by), { items: length, total: String(length), applied: 'count=exact' }, path);
      assert.equal((await counted(`${path}?limit=1&sort=-updatedAt`, by, 'respond-async, count=planned')).total, String(length), path);
    }
  }
});

test('each list that describes `Prefer` answers with a count, and no other does', async () => {
  const { owner } = await chancery.team();
  const lists = chancery.description.operations.filter(
    ({ method, path, access, parameters, responses }) =>
      method === 'GET' &&
      access === 'user' &&
      !path.includes('{') &&
      parameters.some(({ name }) => name === 'cursor') &&
      responses['200'].content['application/json'].schema.type === 'array',
  );
  assert.ok(lists.length > 25);
  for (const { path, parameters } of lists) {
    const { total } = await counted(path.endsWith('/search') ? `${path}?q=term` : path, owner);
    assert.equal(
      total !== null,
      parameters.some(({ name }) => name === 'Prefer'),
      path,
    );
  }
});

test('a count ends at 1000 items, and without a preference there is none', async () => {
  const { owner } = await chancery.team();
  const task = await made(owner, 'POST', '/api/v1/tasks/', { title: 'One', assignedTo: owner.id });
  const copies = (n: number) =>
    chancery.pool.query(
      `INSERT INTO task SELECT (jsonb_populate_record(t, jsonb_build_object('id', uuidv7_like(t.id)))).* FROM task t, generate_series(1, $2) WHERE t.id = $1`,
      [task.id, n],
    );
  await copies(999);
  assert.equal((await counted('/api/v1/tasks/?limit=2', owner)).total, '1000');
  await copies(1);
  assert.deepEqual(await counted('/api/v1/tasks/?limit=2', owner), { items: 2, total: '1000+', applied: 'count=exact' });
  assert.equal((await counted('/api/v1/tasks/?limit=2&status=completed', owner)).total, '0');
  const plain = await counted('/api/v1/tasks/?limit=2', owner, 'return=minimal, count=many');
  assert.deepEqual([plain.total, plain.applied], [null, null]);
  const ids = Array.from({ length: 1_001 }, () => randomUUIDv7());
  await insertSessions(chancery.pool, owner.team, owner.id, ids, { last_used_at: 'now()' });
  assert.equal((await counted('/api/v1/security/auth/sessions?limit=2', owner)).total, '1000+');
});
