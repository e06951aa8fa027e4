import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askingUnder } from '../../../test/asking.ts';
import { type TestResponse, type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { lastVersion } from './queries.ts';
import { answeredVersion } from './submit/queries.ts';
import { actionGrantor } from './submission-actions.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let editor: User;
let reader: User;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  [creator, editor, reader] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
});
after(() => chancery.stop());

const { call: send, made: ok } = askingUnder(`${path}/`, () => chancery);
const form = { title: 'Intake', type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] };

/** Creates a form whose answers are stored in a folder of the creator. The editor can edit it, and has further rights in `rights`. */
async function shared(rights: string[], config: object = {}) {
  const folder = await chancery.folder(creator);
  const made = await ok(creator, 'POST', '', { ...form, config: { folderId: folder.id, ...config } });
  await ok(creator, 'POST', `${made.id}/shares`, { userId: editor.id, rights });
  return { id: made.id as string, folder: folder.id as string };
}
async function published(by: User, members: object = {}) {
  const { id, revision } = await ok(by, 'POST', '', { ...form, ...members });
  return ok(by, 'POST', `${id}/publish`, { revision });
}
const barrier = (id: string, userIds: string[] = []) =>
  chancery.call('PUT', `/api/v1/smartdoc/folders/${id}/barrier`, { token: creator.token, body: { userIds } });

test('a member who can edit but not read submissions can change only settings that do not give access to answers', async () => {
  const { id } = await shared(['edit']);
  const own = await chancery.folder(editor);
  await ok(editor, 'PUT', id, { title: 'Edited' });
  for (const config of [
    { notify: [editor.id] },
    { folderId: own.id },
    { folderId: null },
    { createsDocument: true },
    { startsTemplate: 'nda-approval' },
    { retainDays: 1 },
  ]) {
    const refused = await send(editor, 'PUT', id, { config });
    assert.equal(refused.status, 403, JSON.stringify(config));
  }
  await ok(editor, 'PUT', id, { config: { requireAltcha: true } });
});

test('the publisher is responsible for changed effects; an editor can publish effects that another member published before', async () => {
  const { id } = await shared(['edit'], { createsDocument: true });
  const first = await send(editor, 'POST', `${id}/publish`, { revision: 1 });
  assert.equal(first.status, 403, 'no other member has published it');
  await ok(creator, 'POST', `${id}/publish`, { revision: 1 });
  await ok(editor, 'PUT', id, { title: 'Second' });
  const second = await ok(editor, 'POST', `${id}/publish`, { revision: 2 });
  assert.equal(second.publishedVersion, 2);
  const { rows } = await chancery.pool.query(
    'SELECT number, uses_by, published_by FROM interface_version WHERE interface_id = $1 ORDER BY number',
    [id],
  );
  assert.deepEqual(rows, [
    { number: 1, uses_by: creator.id, published_by: creator.id },
    { number: 2, uses_by: creator.id, published_by: editor.id },
  ]);
});

test('a setting can only name resources that its author can see', async () => {
  const { id } = await shared(['edit', 'submissions']);
  const stranger = (await chancery.team()).owner;
  const theirs = await chancery.folder(reader);
  const wrong: [object, number, string][] = [
    [{ notify: [stranger.id] }, 422, 'interface_invalid'],
    [{ startsTemplate: 'no-such-template' }, 422, 'interface_invalid'],
    [{ folderId: theirs.id }, 422, 'parent_not_found'],
  ];
  for (const [config, status, code] of wrong) {
    const refused = await send(editor, 'PUT', id, { config });
    assert.deepEqual([refused.status, refused.body.code], [status, code], JSON.stringify(config));
  }
  await ok(editor, 'PUT', id, { config: { notify: [reader.id, creator.id], startsTemplate: 'nda-approval' } });
});

test('a client needs the scopes of the effects that it configures, when it sets them and when they run', async () => {
  const apiClient = await chancery.client(team.owner, ['interfaces:read', 'interfaces:write']);
  for (const config of [{ createsDocument: true }, { startsTemplate: 'nda-approval' }]) {
    const refused = await send(apiClient, 'POST', '', { ...form, config });
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'], JSON.stringify(config));
    const { id } = await ok(apiClient, 'POST', '', form);
    assert.equal((await send(apiClient, 'PUT', id, { config })).status, 403, JSON.stringify(config));
  }
  const set = await ok(team.owner, 'POST', '', { ...form, config: { createsDocument: true } });
  assert.equal((await send(apiClient, 'POST', `${set.id}/publish`, { revision: 1 })).status, 403, 'nor by publishing a draft of others');
  const able = await chancery.client(team.owner, ['interfaces:read', 'interfaces:write', 'documents:write', 'workflows:write']);
  const { publicToken } = await published(able as unknown as User, {
    config: { createsDocument: true, startsTemplate: 'incident-report' },
  });
  const effects = async () => {
    const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
    assert.equal(answer.status, 200, answer.text);
    const { rows } = await chancery.pool.query(
      "SELECT kind, status, code FROM submission_effect WHERE submission_id = $1 AND kind <> 'pdf' ORDER BY kind",
      [answer.body.submissionId],
    );
    return rows.map(({ kind, status, code }) => [kind, status, code]);
  };
  // Its scopes are sufficient. The template still fails because it needs a person as assignee.
  assert.deepEqual(await effects(), [
    ['document', 'done', null],
    ['workflow', 'failed', 'assignee_required'],
  ]);
  const narrow = async (scopes: string[]) => {
    const narrowed = await chancery.call('PATCH', `/api/v1/security/clients/${able.id}`, { token: team.owner.token, body: { scopes } });
    assert.equal(narrowed.status, 200, narrowed.text);
  };
  await narrow(['interfaces:write', 'documents:write']);
  assert.deepEqual(await effects(), [
    ['document', 'done', null],
    ['workflow', 'failed', 'insufficient_scope'],
  ]);
  await narrow(['interfaces:read', 'documents:write', 'workflows:write']);
  assert.deepEqual(await effects(), [
    ['document', 'failed', 'forbidden'],
    ['workflow', 'failed', 'forbidden'],
  ]);
});

test('a barrier member who edits the form cannot move its submissions out; the owner of the folder can', async () => {
  const inside = await shared(['edit', 'submissions']);
  await ok(creator, 'POST', `${inside.id}/publish`, { revision: 1 });
  await barrier(inside.folder, [editor.id]);
  const { revision } = await ok(editor, 'PUT', inside.id, { config: { folderId: null } });
  const out = await send(editor, 'POST', `${inside.id}/publish`, { revision });
  assert.equal(out.status, 403, 'a member of the barrier cannot move them out');
  await ok(creator, 'POST', `${inside.id}/publish`, { revision });
});

const give = (id: string, to: User, rights: string[]) => ok(creator, 'POST', `${id}/shares`, { userId: to.id, rights });

test('an editor without the right to read submissions cannot redirect answers', async () => {
  const { id } = await published(creator);
  const [other, trusted] = [await chancery.user(team), await chancery.user(team)];
  await give(id, other, ['edit']);
  await give(id, trusted, ['edit', 'submissions']);
  const own = { folderId: (await chancery.folder(other)).id };
  for (const config of [own, { notify: [other.id] }, { createsDocument: true }, { startsTemplate: 'nda-approval' }])
    assert.equal((await send(other, 'PUT', id, { config })).status, 403, JSON.stringify(config));
  const words = await send(other, 'PUT', id, { title: 'Other words', config: { createsDocument: false, drafts: true } });
  assert.equal(words.status, 200, words.text);
  // An editor without the right cannot publish a setting of an authorized member.
  const led = await send(trusted, 'PUT', id, { config: { createsDocument: true } });
  assert.equal(led.status, 200, led.text);
  const { revision } = led.body;
  assert.equal((await send(other, 'POST', `${id}/publish`, { revision })).status, 403);
  assert.equal((await send(trusted, 'POST', `${id}/publish`, { revision })).status, 200);
  const again = await send(other, 'PUT', id, { title: 'Once more' });
  assert.equal((await send(other, 'POST', `${id}/publish`, { revision: again.body.revision })).status, 200, 'the destination is unchanged');
});

test('an editor who can read answers cannot store them in an own folder, because a barrier there could exclude their owner', async () => {
  const { id, folder } = await shared(['edit', 'submissions'], { createsDocument: true });
  const own = { folderId: (await chancery.folder(editor)).id };
  assert.equal((await send(editor, 'PUT', id, { config: own })).status, 403, 'nor in a draft');
  await ok(creator, 'POST', `${id}/publish`, { revision: 1 });
  assert.equal((await send(editor, 'PUT', id, { config: own })).status, 403);
  const within = await chancery.folder(creator);
  await chancery.call('POST', `/api/v1/smartdoc/folders/${within.id}/shares`, {
    token: creator.token,
    body: { userId: editor.id, access: 'write' },
  });
  const moved = await ok(editor, 'PUT', id, { config: { folderId: within.id } });
  await ok(editor, 'POST', `${id}/publish`, { revision: moved.revision });
  // The owner can choose any folder, and so also the previous one.
  await ok(creator, 'PUT', id, { config: { folderId: folder } });
  const apiClient = await chancery.client(team.owner, ['interfaces:read', 'interfaces:write']);
  assert.equal(
    (await send(apiClient, 'PUT', id, { config: own })).status,
    403,
    'nor can a client move answers to the folder of another person',
  );
  const made = await ok(apiClient, 'POST', '', form);
  await ok(apiClient, 'PUT', made.id, { config: own });
});

test('a member without write access to the folder of the answers can still change texts of the form', async () => {
  const folder = await chancery.folder(creator);
  const { id } = await published(creator, { config: { folderId: folder.id } });
  const other = await chancery.user(team);
  await give(id, other, ['edit']);
  assert.equal((await send(other, 'PUT', id, { title: 'Other words' })).status, 200);
});

test('submissions stay behind a barrier until the owner of its folder moves them out', async () => {
  const folder = await chancery.folder(creator);
  const inside = await chancery.user(team);
  assert.equal((await barrier(folder.id, [inside.id])).status, 200);
  await chancery.call('POST', `/api/v1/smartdoc/folders/${folder.id}/shares`, {
    token: creator.token,
    body: { userId: inside.id, access: 'write' },
  });
  const { id } = await published(creator, { config: { folderId: folder.id } });
  // A form of this member, with answers in a folder of another member behind a barrier.
  const theirs = await published(inside, { config: { folderId: folder.id } });
  const out = await send(inside, 'PUT', theirs.id, { config: { folderId: null } });
  assert.equal(out.status, 200, out.text);
  assert.equal((await send(inside, 'POST', `${theirs.id}/publish`, { revision: 2 })).status, 403, 'existing answers stay there');
  const own = await send(creator, 'PUT', id, { config: { folderId: null } });
  assert.equal((await send(creator, 'POST', `${id}/publish`, { revision: own.body.revision })).status, 200);
});

test('the document of a submission is created in the current folder behind the barrier, even for an older form version', async () => {
  const [open, room] = [await chancery.folder(creator), await chancery.folder(creator)];
  assert.equal((await barrier(room.id)).status, 200);
  const intake = await published(creator, { config: { folderId: open.id, createsDocument: true } });
  const submit = async () => {
    const body = { version: 1, data: { name: 'Ada' } };
    const answer = await chancery.call('POST', `${path}/public/${intake.publicToken}/submit`, { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.submissionId as string;
  };
  const placeOf = async (submission: string) =>
    (await chancery.pool.query("SELECT folder_id FROM document WHERE metadata ->> 'submissionId' = $1", [submission])).rows;
  // The folder is in the bin, so this submission has no document yet.
  await chancery.call('DELETE', `/api/v1/smartdoc/folders/${open.id}`, { token: creator.token });
  const failed = await submit();
  assert.deepEqual(await placeOf(failed), []);
  await chancery.call('POST', `/api/v1/smartdoc/folders/${open.id}/restore`, { token: creator.token });
  const { revision } = await ok(creator, 'PUT', intake.id, { config: { folderId: room.id } });
  await ok(creator, 'POST', `${intake.id}/publish`, { revision });
  await ok(creator, 'POST', `${intake.id}/submissions/${failed}/retry`);
  for (const submission of [failed, await submit()]) assert.deepEqual(await placeOf(submission), [{ folder_id: room.id }]);
});

test('a workflow about answers behind a barrier without a document is named by the identifier of the form', async () => {
  const room = await chancery.folder(creator);
  const intake = await published(creator, { title: 'Nightingale', config: { folderId: room.id, startsTemplate: 'incident-report' } });
  const nameOfNext = async () => {
    await chancery.call('POST', `${path}/public/${intake.publicToken}/submit`, { body: { data: { name: 'Ada' } } });
    const [newest] = (await chancery.pool.query('SELECT name FROM workflow ORDER BY id DESC LIMIT 1')).rows;
    return newest.name as string;
  };
  assert.match(await nameOfNext(), /^Nightingale, /);
  assert.equal((await barrier(room.id)).status, 200);
  assert.ok((await nameOfNext()).startsWith(`${intake.id}, `));
});

test('an effect runs while the member who set it still has the right, and fails afterwards', async () => {
  const { id } = await shared(['edit', 'submissions']);
  await ok(editor, 'PUT', id, { config: { folderId: null, createsDocument: true } });
  const { publicToken } = await ok(editor, 'POST', `${id}/publish`, { revision: 2 });
  const submit = async () => {
    const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
    assert.equal(answer.status, 200, answer.text);
    const { rows } = await chancery.pool.query(
      "SELECT status, code FROM submission_effect WHERE submission_id = $1 AND kind = 'document'",
      [answer.body.submissionId],
    );
    return rows;
  };
  assert.deepEqual(await submit(), [{ status: 'done', code: null }]);
  await ok(creator, 'POST', `${id}/shares`, { userId: editor.id, rights: ['edit'] });
  assert.deepEqual(await submit(), [{ status: 'failed', code: 'forbidden' }]);
});

test('no effect runs while a barrier excludes the member who set it', async () => {
  const { id, folder } = await shared(['edit', 'submissions']);
  await ok(creator, 'POST', `${id}/publish`, { revision: 1 });
  await ok(editor, 'PUT', id, { config: { createsDocument: true } });
  const { publicToken } = await ok(editor, 'POST', `${id}/publish`, { revision: 2 });
  const submit = async () => {
    const { body } = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
    const effects = 'SELECT status, code FROM submission_effect WHERE submission_id = $1 AND kind = $2';
    return (await chancery.pool.query(effects, [body.submissionId, 'document'])).rows;
  };
  await barrier(folder);
  assert.deepEqual(await submit(), [{ status: 'failed', code: 'forbidden' }]);
  await chancery.call('POST', `/api/v1/smartdoc/folders/${folder}/shares`, {
    token: creator.token,
    body: { userId: editor.id, access: 'write' },
  });
  await barrier(folder, [editor.id]);
  assert.deepEqual(await submit(), [{ status: 'done', code: null }]);
});

test('effects end with the right of the member who set them, and pass to the owner after an offboarding', async () => {
  const { id, folder } = await shared(['edit', 'submissions'], { createsDocument: true });
  const reading = { db: chancery.database.reader(team.id), team: team.id };
  const used = { id, owner_id: creator.id, uses_by: editor.id };
  const grantor = async () => (await actionGrantor(reading, used)) as { id?: string } | undefined;
  assert.equal((await grantor())?.id, editor.id);
  const [share] = await ok(creator, 'GET', `${id}/shares`);
  await ok(creator, 'POST', `${id}/shares`, { userId: editor.id, rights: ['edit'] });
  assert.equal(await grantor(), undefined, 'the member can no longer read submissions');
  await ok(creator, 'DELETE', `${id}/shares/${share.id}`);
  assert.equal(await grantor(), undefined, 'the member can no longer edit the form');
  const removed = await chancery.call('DELETE', `/api/v1/team/members/${editor.id}`, { token: team.owner.token });
  assert.equal(removed.status, 204, removed.text);
  assert.equal((await grantor())?.id, creator.id);

  // After an offboarding, the version uses the rights of the owner, even if the member joins again.
  const back = await chancery.user(team);
  await ok(creator, 'POST', `${id}/shares`, { userId: back.id, rights: ['edit', 'submissions'] });
  const write = { userId: back.id, access: 'write' };
  assert.equal(
    (await chancery.call('POST', `/api/v1/smartdoc/folders/${folder}/shares`, { token: creator.token, body: write })).status,
    201,
  );
  const { revision } = await ok(back, 'PUT', id, { config: { folderId: folder, createsDocument: true, notify: [creator.id] } });
  await ok(back, 'POST', `${id}/publish`, { revision });
  const usedBy = async () => {
    const version = await reading.db.first(lastVersion, { team: team.id, id });
    const answered = await reading.db.first(answeredVersion, { team: team.id, interface: id, number: version?.number ?? 0 });
    return [version?.uses_by, answered?.uses_by];
  };
  assert.deepEqual(await usedBy(), [back.id, back.id]);
  assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${back.id}`, { token: team.owner.token })).status, 204);
  assert.deepEqual(await usedBy(), [creator.id, creator.id]);
});

test('a template that another member changed starts no workflow until the form is published again', async () => {
  const [colleague, wording] = [await chancery.user(team), await chancery.user(team)];
  const admin = await chancery.user(team, { role: 'admin' });
  const name = `own-${colleague.id}`;
  const as = (by: User, method: string, at: string, body?: unknown) =>
    chancery.call(method, `/api/v1/workflows/templates${at}`, { token: by.token, body });
  const stepsFor = (who: User) => [{ id: 'a', type: 'task', assignedTo: who.id }];
  const added = { name, description: 'Own', steps: stepsFor(creator) };
  assert.equal((await as(colleague, 'POST', '', added)).status, 201);
  const { id, publicToken } = await published(creator, { config: { createsDocument: true, startsTemplate: name } });
  const submit = async () => {
    const { body } = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
    const { effects } = await ok(creator, 'GET', `${id}/submissions/${body.submissionId}`);
    const { status, code } = effects.find(({ kind }: any) => kind === 'workflow');
    const document = effects.find(({ kind }: any) => kind === 'document').resultId;
    const read = await chancery.call('GET', `/api/v1/smartdoc/documents/${document}`, { token: colleague.token });
    return { outcome: code ?? status, read: read.status, submission: body.submissionId };
  };
  assert.equal((await submit()).outcome, 'done');
  const changed = await as(colleague, 'PUT', `/${name}`, { steps: stepsFor(colleague) });
  assert.equal(changed.status, 200, changed.text);
  const refused = await submit();
  assert.deepEqual([refused.outcome, refused.read], ['template_changed', 404]);
  // Neither a new template with the same name nor a publication by an editor approves it.
  assert.equal((await as(colleague, 'DELETE', `/${name}?force=true`)).status, 204);
  assert.equal((await as(colleague, 'POST', '', { ...added, steps: stepsFor(colleague) })).status, 201);
  await give(id, wording, ['edit']);
  const { revision } = await ok(wording, 'PUT', id, { title: 'Other words' });
  await ok(wording, 'POST', `${id}/publish`, { revision });
  assert.equal((await submit()).outcome, 'template_changed');
  // The same revision: the author approves the changed template.
  const earlier = await ok(creator, 'GET', id);
  const again = await ok(creator, 'POST', `${id}/publish`, { revision });
  assert.equal(again.publishedVersion, earlier.publishedVersion + 1);
  assert.equal((await ok(creator, 'POST', `${id}/publish`, { revision })).publishedVersion, again.publishedVersion);
  assert.deepEqual([(await submit()).outcome, (await submit()).read], ['done', 200]);
  const retried = await ok(creator, 'POST', `${id}/submissions/${refused.submission}/retry`);
  assert.equal(retried.status, 'received');
  // A manager of the team decides for all forms how submissions are handled.
  assert.equal((await as(admin, 'PUT', `/${name}`, { steps: stepsFor(reader) })).status, 200);
  assert.deepEqual([(await submit()).outcome, (await submit()).read], ['done', 404]);
});

test('a form that cannot start its template is rejected on save and on publication', async () => {
  const name = 'needs-party';
  const steps = [{ id: 'a', type: 'task', name: 'Ask {{party}}' }];
  const templates = '/api/v1/workflows/templates';
  const ask = (method: string, to: string, body: unknown) => chancery.call(method, to, { token: creator.token, body });
  const parameters = [{ name: 'party', type: 'text', required: true }];
  await ask('POST', templates, { name, description: 'D', steps, parameters });
  const refused = await send(creator, 'POST', '', { ...form, config: { startsTemplate: name } });
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors[0].pointer],
    [422, 'interface_invalid', '/config/startsTemplate'],
  );
  assert.match(refused.body.errors[0].reason, /party/);
  // A template that got a required parameter after the draft was saved.
  await ask('PUT', `${templates}/${name}`, { parameters: [{ ...parameters[0], required: false }] });
  const { id, revision } = await ok(creator, 'POST', '', { ...form, config: { startsTemplate: name } });
  await ask('PUT', `${templates}/${name}`, { parameters });
  const publish = () => send(creator, 'POST', `${id}/publish`, { revision });
  assert.deepEqual([(await publish()).status, (await publish()).body.errors[0].pointer], [422, '/config/startsTemplate']);
  await ask('PUT', `${templates}/${name}`, { parameters: [{ ...parameters[0], default: 'Acme' }] });
  assert.equal((await publish()).status, 200);
});

test('an unknown setting of a form is rejected with the nearest known name', async () => {
  const refused = (answer: TestResponse) => {
    const [error] = answer.body.errors;
    return [answer.status, answer.body.code, error.pointer, error.rule, /`(\w+)`/.exec(error.reason)?.[1]];
  };
  const template = [422, 'interface_invalid', '/config/startsTemplte', 'unknown', 'startsTemplate'];
  assert.deepEqual(refused(await send(creator, 'POST', '', { ...form, config: { startsTemplte: 'nda-approval' } })), template);
  const own = { 'x-desk': { colour: 'red' }, uploads: { 'x-note': 1 } };
  const made = await ok(creator, 'POST', '', { ...form, config: own });
  assert.deepEqual([made.config['x-desk'], made.config.uploads['x-note']], [{ colour: 'red' }, 1], 'names with x- are allowed');
  const change = (config: object) => send(creator, 'PUT', made.id, { config });
  assert.deepEqual(refused(await change({ startsTemplte: 'nda-approval' })), template);
  const size = [422, 'interface_invalid', '/config/uploads/maxSizeMB', 'unknown', 'maxSizeMb'];
  assert.deepEqual(refused(await change({ uploads: { maxSizeMB: 2 } })), size);
  const read = await ok(creator, 'GET', made.id);
  assert.equal((await change(read.config)).status, 200, 'a read definition can be sent back');
  assert.deepEqual((await ok(creator, 'PUT', made.id, { config: { 'x-desk': null } })).config['x-desk'], undefined);
});
