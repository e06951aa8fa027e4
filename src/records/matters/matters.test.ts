import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { askToSign, pdfDocument } from '../../../test/signatures.ts';

const matters = '/api/v1/matters';
const clients = '/api/v1/matter-clients';
const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let lawyer: User;
let colleague: User;
let stranger: User;
let admin: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  [lawyer, colleague, stranger] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
});

const { call: ask, made: done } = asking(() => chancery);
const matter = (by: User = lawyer, more: object = {}) => done(by, 'POST', `${matters}/`, { name: `Matter ${randomUUIDv7()}`, ...more });
const folder = (more: object = {}, by: User = lawyer) => done(by, 'POST', `${folders}/`, { name: `Folder ${randomUUIDv7()}`, ...more });
const document = (more: object = {}, by: User = lawyer) => done(by, 'POST', `${documents}/`, { title: `Deed ${randomUUIDv7()}`, ...more });
const steps = [{ id: 'a', type: 'task', name: 'Read' }];
const workflow = (more: object = {}, by: User = lawyer) =>
  done(by, 'POST', '/api/v1/workflows/', { name: 'Review', documentId: 'elsewhere', steps, ...more });
const task = (more: object = {}, by: User = lawyer) => done(by, 'POST', '/api/v1/tasks/', { title: 'Call the court', ...more });
const registry = (more: object = {}, by: User = lawyer) =>
  done(by, 'POST', '/api/v1/registries/', {
    name: `Parties ${randomUUIDv7()}`,
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    ...more,
  });
const form = (more: object = {}, by: User = lawyer) =>
  done(by, 'POST', '/api/v1/interfaces/', {
    title: 'Intake',
    type: 'form',
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    ...more,
  });
const share = (id: string, userId: string, access = 'read') => done(lawyer, 'POST', `${matters}/${id}/access`, { userId, access });
const idsIn = async (by: User, path: string) => (await done(by, 'GET', path)).map(({ id }: { id: string }) => id);

/** A matter with one resource of each type in it. */
async function filled() {
  const { id: matterId } = await matter();
  const top = await folder({ matterId });
  const below = await folder({ parentId: top.id });
  const filed = await document({ folderId: below.id });
  const loose = await document({ matterId });
  const about = await workflow({ documentId: loose.id });
  const plain = await workflow({ matterId });
  const single = await task({ matterId });
  const parties = await registry({ matterId });
  const intake = await form({ matterId });
  return { matterId, top, below, filed, loose, about, plain, single, parties, intake };
}

test('the name and the number of a matter, and the name of its client, can have a slash', async () => {
  const { id: clientId } = await done(lawyer, 'POST', `${clients}/`, { name: 'Vogel / Bauer' });
  const { id } = await matter(lawyer, { name: 'Acme ./. Contoso', number: '123/26', clientId });
  const { name, number } = await done(lawyer, 'GET', `${matters}/${id}`);
  assert.deepEqual([name, number], ['Acme ./. Contoso', '123/26']);
});

test('a matter has a number of the year unless one is given, and numbers are unique regardless of case', async () => {
  const first = await matter();
  const second = await matter();
  assert.match(first.number, /^\d{4}-\d{4}$/);
  assert.equal(Number(second.number.slice(5)), Number(first.number.slice(5)) + 1);
  const named = await matter(lawyer, { number: `Az-${randomUUIDv7()}` });
  const again = await ask(lawyer, 'POST', `${matters}/`, { name: 'Other', number: named.number.toUpperCase() });
  assert.equal(again.status, 409);
  assert.equal(again.body.code, 'matter_number_taken');
});

test('of 50 matters with one number, one is created', async () => {
  const number = `Race-${randomUUIDv7()}`;
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(lawyer, 'POST', `${matters}/`, { name: 'Race', number })));
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [201, ...Array.from({ length: 49 }, () => 409)]);
});

test('50 matters at once get 50 different numbers', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => matter()));
  assert.equal(new Set(made.map(({ number }) => number)).size, 50);
});

test('an automatic number skips a number that a person already used', async () => {
  const { number } = await matter();
  const next = `${number.slice(0, 5)}${String(Number(number.slice(5)) + 1).padStart(4, '0')}`;
  await matter(lawyer, { number: next });
  const { number: skipped } = await matter();
  assert.equal(Number(skipped.slice(5)), Number(number.slice(5)) + 2);
});

test('a matter names its client, and a client name is unique', async () => {
  const client = await done(lawyer, 'POST', `${clients}/`, { name: `Acme ${randomUUIDv7()}`, reference: 'K-1' });
  const taken = await ask(lawyer, 'POST', `${clients}/`, { name: client.name.toUpperCase() });
  assert.equal(taken.body.code, 'matter_client_name_taken');
  const made = await matter(lawyer, { clientId: client.id });
  assert.deepEqual(await idsIn(lawyer, `${matters}/?clientId=${client.id}`), [made.id]);
  const missing = await ask(lawyer, 'POST', `${matters}/`, { name: 'Other', clientId: randomUUIDv7() });
  assert.equal(missing.body.code, 'matter_client_not_found');
});

test('everything in a matter shows its matter, and no other container', async () => {
  const { matterId, top, below, filed, loose, about, plain, single, parties, intake } = await filled();
  for (const one of [top, below, filed, loose, about, plain, single, parties, intake]) assert.equal(one.matterId, matterId);
  assert.equal(top.parentId, undefined);
  assert.equal(below.parentId, top.id);
  assert.equal(loose.folderId, undefined);
  assert.equal(filed.folderId, below.id);
});

test('the lists of documents, workflows, tasks, forms and requests filter by matter', async () => {
  const { matterId, filed, loose, about, plain, single, intake } = await filled();
  await document();
  await workflow();
  await task();
  await form();
  const pdf = await pdfDocument(chancery, lawyer, { matterId });
  const request = await askToSign(chancery, lawyer, { documentId: pdf.id });
  const of = (path: string) => idsIn(lawyer, `${path}?matterId=${matterId}`);
  assert.deepEqual(await of(`${documents}/`), [filed.id, loose.id, pdf.id]);
  assert.deepEqual(await of('/api/v1/workflows/'), [about.id, plain.id]);
  assert.deepEqual(await of('/api/v1/tasks/'), [single.id]);
  assert.deepEqual(await of('/api/v1/interfaces/'), [intake.id]);
  assert.deepEqual(await of('/api/v1/signatures/'), [request.id]);
});

test('a matter is no folder', async () => {
  const { id } = await matter();
  assert.equal((await ask(lawyer, 'GET', `${folders}/${id}`)).status, 404);
  assert.equal((await ask(lawyer, 'PUT', `${folders}/${id}`, { description: 'New' })).status, 404);
  assert.equal((await ask(lawyer, 'DELETE', `${folders}/${id}`)).status, 404);
  assert.equal((await ask(lawyer, 'POST', `${folders}/`, { name: 'Below', parentId: id })).body.code, 'parent_not_found');
  assert.ok(!(await idsIn(lawyer, `${folders}/`)).includes(id));
  assert.ok(!(await idsIn(admin, `${folders}/?sort=-updatedAt`)).includes(id));
});

test('a share of a matter gives access to its folders, documents, workflows, tasks and registries', async () => {
  const { matterId, top, filed, loose, plain, single, parties, intake } = await filled();
  const paths = [
    `${matters}/${matterId}`,
    `${folders}/${top.id}`,
    `${documents}/${filed.id}`,
    `${documents}/${loose.id}`,
    `/api/v1/workflows/${plain.id}`,
    `/api/v1/tasks/${single.id}`,
    `/api/v1/registries/${parties.id}`,
  ];
  const reached = () => Promise.all(paths.map(async (path) => (await ask(colleague, 'GET', path)).status));
  assert.deepEqual(
    await reached(),
    paths.map(() => 404),
  );
  const grant = await share(matterId, colleague.id);
  assert.deepEqual(
    await reached(),
    paths.map(() => 200),
  );
  assert.deepEqual(await idsIn(colleague, `${matters}/`), [matterId]);
  assert.ok((await idsIn(colleague, `${folders}/`)).includes(top.id));
  assert.deepEqual(await idsIn(colleague, `${documents}/?matterId=${matterId}`), [filed.id, loose.id]);
  assert.ok((await idsIn(colleague, '/api/v1/workflows/')).includes(plain.id));
  assert.ok((await idsIn(colleague, '/api/v1/tasks/')).includes(single.id));
  assert.ok((await idsIn(colleague, '/api/v1/registries/')).includes(parties.id));
  // A form has its own access.
  assert.equal((await ask(colleague, 'GET', `/api/v1/interfaces/${intake.id}`)).status, 404);
  assert.equal((await ask(lawyer, 'DELETE', `${matters}/${matterId}/access/${grant.id}`)).status, 204);
  assert.deepEqual(
    await reached(),
    paths.map(() => 404),
  );
});

test('a reader of a matter cannot change it or put anything into it', async () => {
  const { id } = await matter();
  await share(id, colleague.id);
  assert.equal((await ask(colleague, 'PATCH', `${matters}/${id}`, { practice: 'Tax' })).status, 403);
  for (const [path, body] of [
    [`${folders}/`, { name: 'Mine', matterId: id }],
    ['/api/v1/tasks/', { title: 'Mine', matterId: id }],
  ] as const)
    assert.equal((await ask(colleague, 'POST', path, body)).body.code, 'matter_not_found');
});

test('a barrier on a matter hides everything in it from all others, administrators included', async () => {
  const { matterId, top, filed, loose, about, plain, single, parties, intake } = await filled();
  await share(matterId, colleague.id);
  await share(matterId, stranger.id);
  await done(lawyer, 'PUT', `${matters}/${matterId}/barrier`, { userIds: [colleague.id] });
  const paths = [
    `${matters}/${matterId}`,
    `${folders}/${top.id}`,
    `${documents}/${filed.id}`,
    `${documents}/${loose.id}`,
    `/api/v1/workflows/${about.id}`,
    `/api/v1/workflows/${plain.id}`,
    `/api/v1/tasks/${single.id}`,
    `/api/v1/registries/${parties.id}`,
  ];
  const statuses = async (by: User) => Promise.all(paths.map(async (path) => (await ask(by, 'GET', path)).status));
  for (const by of [admin, stranger])
    assert.deepEqual(
      await statuses(by),
      paths.map(() => 404),
    );
  assert.deepEqual(
    await statuses(colleague),
    paths.map(() => 200),
  );
  assert.equal((await ask(admin, 'GET', `/api/v1/interfaces/${intake.id}`)).status, 404);
  for (const path of ['matters', 'workflows', 'tasks', 'registries', 'interfaces', 'smartdoc/documents'])
    assert.ok(!JSON.stringify(await done(admin, 'GET', `/api/v1/${path}/`)).includes(matterId), `${path} discloses the matter`);
  assert.ok(
    (await done(admin, 'GET', '/api/v1/barriers/')).some(
      ({ id, type }: { id: string; type: string }) => id === matterId && type === 'matter',
    ),
  );
});

test('an open task of an outsider is unassigned when the barrier is raised', async () => {
  const { id } = await matter();
  const { id: taskId } = await task({ matterId: id, assignedTo: stranger.id });
  await done(lawyer, 'PUT', `${matters}/${id}/barrier`, { userIds: [] });
  assert.equal((await done(lawyer, 'GET', `/api/v1/tasks/${taskId}`)).assignedTo, undefined);
  const refused = await ask(lawyer, 'POST', '/api/v1/tasks/', { title: 'Other', matterId: id, assignedTo: stranger.id });
  assert.equal(refused.body.code, 'outside_barrier');
});

test('contents are added all or none, and more people see them only if that is confirmed', async () => {
  const { id } = await matter();
  await share(id, colleague.id);
  const [top, loose, plain, parties] = [await folder(), await document(), await workflow(), await registry()];
  const items = [
    { type: 'workflow', id: plain.id },
    { type: 'document', id: loose.id },
    { type: 'registry', id: parties.id },
    { type: 'folder', id: top.id },
  ];
  const path = `${matters}/${id}/contents`;
  const wider = await ask(lawyer, 'POST', path, { items });
  assert.equal(wider.body.code, 'wider_audience');
  assert.equal(wider.body.errors.length, items.length);
  const missing = await ask(lawyer, 'POST', path, { items: [...items, { type: 'document', id: randomUUIDv7() }], confirm: true });
  assert.equal(missing.status, 404);
  assert.deepEqual(await done(lawyer, 'GET', path), []);
  assert.equal((await ask(lawyer, 'POST', path, { items, confirm: true })).status, 204);
  assert.deepEqual(await idsIn(lawyer, path), [top.id, loose.id, plain.id, parties.id]);
  assert.deepEqual(await idsIn(lawyer, `${path}?type=document`), [loose.id]);
  assert.equal((await ask(colleague, 'GET', `${documents}/${loose.id}`)).status, 200);
  assert.equal((await ask(lawyer, 'POST', `${path}/remove`, { items })).status, 204);
  assert.deepEqual(await done(lawyer, 'GET', path), []);
  assert.equal((await ask(colleague, 'GET', `${documents}/${loose.id}`)).status, 404);
});

test('only the owner of a resource adds it to a matter', async () => {
  const { id } = await matter();
  const theirs = await document({}, stranger);
  await done(stranger, 'POST', `${documents}/${theirs.id}/access`, { userId: lawyer.id, access: 'write' });
  const answer = await ask(lawyer, 'POST', `${matters}/${id}/contents`, { items: [{ type: 'document', id: theirs.id }], confirm: true });
  assert.equal(answer.status, 403);
});

test('a resource lies in one matter', async () => {
  const [one, other] = [await matter(), await matter()];
  const loose = await document({ matterId: one.id });
  const answer = await ask(lawyer, 'POST', `${matters}/${other.id}/contents`, { items: [{ type: 'document', id: loose.id }] });
  assert.equal(answer.body.code, 'in_another_matter');
  const elsewhere = await ask(lawyer, 'POST', '/api/v1/tasks/', { title: 'Read', documentId: loose.id, matterId: other.id });
  assert.equal(elsewhere.body.code, 'matter_of_document');
});

test('work about a document follows it into a matter and out of it', async () => {
  const { id } = await matter();
  const top = await folder();
  const filed = await document({ folderId: top.id });
  const about = await workflow({ documentId: filed.id });
  await done(lawyer, 'POST', `/api/v1/workflows/${about.id}/start`);
  const matterOf = async () => [
    (await done(lawyer, 'GET', `/api/v1/workflows/${about.id}`)).matterId,
    (await done(lawyer, 'GET', `/api/v1/tasks/?workflowId=${about.id}`))[0].matterId,
  ];
  const items = [{ type: 'folder', id: top.id }];
  await done(lawyer, 'POST', `${matters}/${id}/contents`, { items });
  assert.deepEqual(await matterOf(), [id, id]);
  await done(lawyer, 'POST', `${matters}/${id}/contents/remove`, { items });
  assert.deepEqual(await matterOf(), [undefined, undefined]);
});

test('out of its folder, a document or folder stays in its matter', async () => {
  const { matterId, below, filed } = await filled();
  const moved = await done(lawyer, 'PATCH', `${documents}/${filed.id}/move`, { folderId: null });
  assert.deepEqual([moved.matterId, moved.folderId], [matterId, undefined]);
  const top = await done(lawyer, 'PATCH', `${folders}/${below.id}/move`, { parentId: null });
  assert.deepEqual([top.matterId, top.parentId], [matterId, undefined]);
});

test('a stale If-Match is rejected, and of 50 changes from one version one succeeds', async () => {
  const { id } = await matter();
  const { headers } = await ask(lawyer, 'GET', `${matters}/${id}`);
  const change = () =>
    chancery.call('PATCH', `${matters}/${id}`, {
      token: lawyer.token,
      body: { practice: randomUUIDv7() },
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
  const statuses = (await Promise.all(Array.from({ length: 50 }, change))).map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, ...Array.from({ length: 49 }, () => 412)]);
});

test('another responsible person owns the matter and everything in its folders', async () => {
  const { matterId, filed } = await filled();
  assert.equal((await ask(colleague, 'PATCH', `${matters}/${matterId}`, { responsibleId: colleague.id })).status, 404);
  const moved = await done(lawyer, 'PATCH', `${matters}/${matterId}`, { responsibleId: colleague.id });
  assert.equal(moved.responsibleId, colleague.id);
  assert.equal((await done(colleague, 'GET', `${documents}/${filed.id}`)).userId, colleague.id);
  assert.equal((await ask(lawyer, 'GET', `${matters}/${matterId}`)).status, 404);
});

test('the matters of a member who leaves go to the successor, and stay matters', async () => {
  const leaver = await chancery.user(team);
  const { id } = await matter(leaver);
  const top = await folder({ matterId: id }, leaver);
  await done(team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${colleague.id}`);
  assert.equal((await done(colleague, 'GET', `${matters}/${id}`)).responsibleId, colleague.id);
  const kept = await done(colleague, 'GET', `${folders}/${top.id}`);
  assert.deepEqual([kept.matterId, kept.parentId], [id, undefined]);
});

test('a matter is deleted only without content, also in the bin', async () => {
  const { id, number } = await matter();
  const loose = await document({ matterId: id });
  const refused = async () => (await ask(lawyer, 'DELETE', `${matters}/${id}`)).body.code;
  assert.equal(await refused(), 'matter_not_empty');
  await ask(lawyer, 'DELETE', `${documents}/${loose.id}`);
  assert.equal(await refused(), 'matter_not_empty');
  await done(lawyer, 'POST', `${documents}/${loose.id}/restore`);
  await done(lawyer, 'POST', `${matters}/${id}/contents/remove`, { items: [{ type: 'document', id: loose.id }] });
  assert.equal((await ask(lawyer, 'DELETE', `${matters}/${id}`)).status, 204);
  assert.equal((await ask(lawyer, 'GET', `${matters}/${id}`)).status, 404);
  assert.equal((await matter(lawyer, { number })).number, number);
});

test('each change of a matter is one entry, and its events have no fields', async () => {
  const { id } = await matter(lawyer, { fields: { court: 'Berlin' } });
  await done(lawyer, 'PATCH', `${matters}/${id}`, { fields: { court: 'Hamburg' }, status: 'pending' });
  await done(lawyer, 'POST', `${matters}/${id}/close`);
  const { rows } = await chancery.pool.query<{ type: string; data: object }>(
    'SELECT type, data FROM audit_entry WHERE team_id = $1 AND target_id = $2 ORDER BY id',
    [team.id, id],
  );
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['matter.created', 'matter.updated', 'matter.closed'],
  );
  assert.ok(!JSON.stringify(rows).includes('Hamburg'));
});

test('guests and auditors are not responsible for a matter, and an auditor gets no deadline', async () => {
  const { id } = await matter();
  for (const role of ['guest', 'auditor'] as const) {
    const outsider = await chancery.user(team, { role });
    const moved = await ask(lawyer, 'PATCH', `${matters}/${id}`, { responsibleId: outsider.id });
    assert.deepEqual([moved.status, moved.body.code], [404, 'member_not_found'], role);
    const named = await ask(admin, 'POST', `${matters}/`, { name: 'Other', responsibleId: outsider.id });
    assert.equal(named.body.code, 'member_not_found', role);
    const answer = await ask(lawyer, 'POST', `${matters}/${id}/deadlines`, {
      title: 'File',
      dueDate: '2027-03-31',
      assigneeId: outsider.id,
    });
    assert.equal(answer.status, role === 'guest' ? 201 : 404, role);
  }
});

test('contents list only types that the caller has the scope to read', async () => {
  const { id } = await matter();
  const [loose, parties] = [await document({ matterId: id }), await registry({ matterId: id })];
  await form({ matterId: id });
  const guest = await chancery.user(team, { role: 'guest' });
  await share(id, guest.id);
  assert.deepEqual(await idsIn(guest, `${matters}/${id}/contents`), [loose.id]);
  assert.deepEqual(await idsIn(guest, `${matters}/${id}/contents?type=registry`), []);
  const client = await chancery.client(team.owner, ['matters:read', 'registries:read']);
  const { body } = await chancery.call('GET', `${matters}/${id}/contents`, { token: client.token });
  assert.deepEqual(
    body.map((one: { id: string }) => one.id),
    [parties.id],
  );
});

test('content that leaves a barrier needs a confirmation', async () => {
  const { id } = await matter();
  const barred = await folder();
  const [loose, within] = [await document({ folderId: barred.id }), await folder({ parentId: barred.id })];
  await done(lawyer, 'PUT', `${folders}/${barred.id}/barrier`, { userIds: [] });
  const path = `${matters}/${id}/contents`;
  const items = [
    { type: 'document', id: loose.id },
    { type: 'folder', id: within.id },
  ];
  for (const item of items) assert.equal((await ask(lawyer, 'POST', path, { items: [item] })).body.code, 'wider_audience', item.type);
  assert.equal((await ask(lawyer, 'POST', path, { items, confirm: true })).status, 204);
});

test('a folder keeps its own barrier in a matter', async () => {
  const { id } = await matter();
  const own = await folder();
  await done(lawyer, 'PUT', `${folders}/${own.id}/barrier`, { userIds: [] });
  const items = [{ type: 'folder', id: own.id }];
  assert.equal((await ask(lawyer, 'POST', `${matters}/${id}/contents`, { items })).status, 204);
});

test('a running workflow that moves behind a barrier loses its excluded assignees', async () => {
  const { id } = await matter();
  await done(lawyer, 'PUT', `${matters}/${id}/barrier`, { userIds: [] });
  const running = await workflow({ steps: [{ id: 'a', type: 'task', name: 'Read', assignedTo: stranger.id }] });
  await done(lawyer, 'POST', `/api/v1/workflows/${running.id}/start`);
  const assignee = async () => (await done(lawyer, 'GET', `/api/v1/tasks/?workflowId=${running.id}`))[0].assignedTo;
  assert.equal(await assignee(), stranger.id);
  await done(lawyer, 'POST', `${matters}/${id}/contents`, { items: [{ type: 'workflow', id: running.id }], confirm: true });
  assert.equal(await assignee(), undefined);
});

test('journal entries and events of a registry behind a barrier have no name', async () => {
  const { id } = await matter();
  await done(lawyer, 'PUT', `${matters}/${id}/barrier`, { userIds: [] });
  const secret = `Secret ${randomUUIDv7()}`;
  const parties = await registry({ name: secret, matterId: id });
  await done(lawyer, 'PUT', `/api/v1/registries/${parties.id}`, { name: `${secret} 2` });
  await done(lawyer, 'DELETE', `/api/v1/registries/${parties.id}`);
  await done(lawyer, 'POST', `/api/v1/registries/${parties.id}/restore`);
  const { rows: entries } = await chancery.pool.query('SELECT data FROM audit_entry WHERE team_id = $1 AND target_id = $2', [
    team.id,
    parties.id,
  ]);
  assert.equal(entries.length, 4);
  assert.ok(!JSON.stringify(entries).includes(secret));
  const { rows } = await chancery.pool.query<{ body: Buffer }>("SELECT body FROM event WHERE team_id = $1 AND type LIKE 'registry.%'", [
    team.id,
  ]);
  assert.ok(rows.every(({ body }) => !body.toString().includes(secret)));
});

for (const access of ['read', 'write'])
  test(`a ${access} share of a matter does not let its holder complete unassigned tasks`, async () => {
    const { id: matterId } = await matter();
    const { id } = await task({ matterId });
    const guest = await chancery.user(team, { role: 'guest' });
    for (const reader of [colleague, guest]) {
      await share(matterId, reader.id, access);
      await done(reader, 'GET', `/api/v1/tasks/${id}`);
      const answer = await ask(reader, 'POST', `/api/v1/tasks/${id}/complete`, {});
      assert.equal(answer.status, 403, answer.text);
    }
    assert.equal((await done(lawyer, 'POST', `/api/v1/tasks/${id}/complete`, {})).status, 'completed');
  });
