import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { purgeFolders } from '../../records/folders/jobs.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let creator: User;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  owner = team.owner;
  creator = await chancery.user(team);
});
after(() => chancery.stop());

const fields = [{ id: 'name', type: 'text', label: { en: 'Name', de: 'Name' }, required: true }];
const form = { title: { en: 'Intake', de: 'Aufnahme' }, type: 'form', fields, publicSettings: { locale: 'en', locales: ['en', 'de'] } };
const send = (by: User, method: string, at: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, `${path}/${at}`, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
async function made(by: User, members: object = {}) {
  const answer = await send(by, 'POST', '', { ...form, ...members });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}
async function published(by: User, members: object = {}) {
  const { id, revision } = await made(by, members);
  const answer = await send(by, 'POST', `${id}/publish`, { revision });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

test('a new interface is a draft of its creator with defaults, and reads back the same', async () => {
  const answer = await send(creator, 'POST', '', { ...form, config: { uploads: { maxSizeMb: 5 } } });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('location'), `${path}/${answer.body.id}`);
  const { id, config, publicSettings, createdAt, updatedAt, ...rest } = answer.body;
  assert.deepEqual(rest, {
    title: form.title,
    type: 'form',
    status: 'draft',
    userId: creator.id,
    fields,
    revision: 1,
    createdBy: creator.id,
    createdByType: 'user',
  });
  assert.deepEqual([config.requireAltcha, config.uploads.maxSizeMb, config.uploads.accept.length > 0], [false, 5, true]);
  assert.deepEqual(publicSettings, { theme: 'auto', showProgress: true, allowPdf: true, locale: 'en', locales: ['en', 'de'] });
  assert.deepEqual((await send(creator, 'GET', id)).body, answer.body);
  assert.equal(createdAt, updatedAt);
  const listed = (await send(creator, 'GET', '')).body.find((one: any) => one.id === id);
  assert.deepEqual([listed.title, 'fields' in listed, 'config' in listed], ['Intake', false, false]);
});

test('a form is rejected if its uploads name an unknown type or a type that the form does not accept, with a suggestion', async () => {
  const file = (accept: string[]) => [{ id: 'proof', type: 'file', label: 'Proof', validation: { accept } }];
  const refusedFor = async (members: object) => {
    const { status, body, text } = await send(creator, 'POST', '', { ...form, ...members });
    assert.deepEqual([status, body.code], [422, 'interface_invalid'], text);
    return body.errors.map(({ pointer, reason }: any) => `${pointer} ${reason}`);
  };
  const accepting = (...accept: string[]) => ({ config: { uploads: { accept } } });
  for (const [type, meant] of [
    ['image/jpg', 'image/jpeg'],
    ['message/rfc-822', 'message/rfc822'],
    ['application/x-pkcs7-mime', 'application/pkcs7-mime'],
    ['application/vnd.ms-outlok', 'application/vnd.ms-outlook'],
  ] as const) {
    const [reason] = await refusedFor(accepting('application/pdf', type));
    assert.ok(reason.startsWith('/config/uploads/accept/1 ') && reason.endsWith(`use \`${meant}\``), reason);
  }
  assert.match((await refusedFor(accepting('nothing/*')))[0], /^\/config\/uploads\/accept\/0 /);
  const [outside] = await refusedFor({ fields: file(['image/png', 'image/heic']) });
  assert.match(outside, /^\/fields\/0\/validation\/accept\/1 is missing in/);
  const all = ['image/*', 'message/rfc822', 'application/vnd.ms-outlook', 'application/pkcs7-mime', 'application/msword', 'text/csv'];
  const { id } = await made(creator, { ...accepting(...all), fields: file(['image/heif', 'message/*', 'text/csv']) });
  const patched = await send(creator, 'PUT', id, accepting('image/png'));
  assert.deepEqual([patched.status, patched.body.errors?.length], [422, 3], patched.text);
  const many = Array.from({ length: 50 }, (_, at) => `x-${at}/${'y'.repeat(90)}`);
  assert.equal((await refusedFor(accepting(...many))).length, 10);
});

test('a form with an opening time that the service cannot read is rejected instead of open at once', async () => {
  // With a space instead of the `T`, JavaScript parses an early year as another year.
  for (const opensAt of [
    '2999-01-01T00:00:00+01',
    '2999-06-30T23:59:60Z',
    '0049-01-01 10:00:00Z',
    '0012-05-06 10:00:00Z',
    '2999-01-01\u00a010:00:00Z',
  ]) {
    const answer = await send(creator, 'POST', '', { ...form, publicSettings: { opensAt } });
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], opensAt);
    assert.equal(answer.body.errors[0].pointer, '/publicSettings/opensAt');
  }
  for (const opensAt of ['2999-01-01 10:00:00Z', '2999-01-01t10:00:00.123456789z', '2999-01-01T10:00:00-00:00'])
    assert.equal((await send(creator, 'POST', '', { ...form, publicSettings: { opensAt } })).status, 201, opensAt);
});

test('a change is a merge patch: objects are merged, null removes, lists are replaced', async () => {
  const { id } = await made(creator, {
    description: 'Before',
    config: { createsDocument: true, uploads: { maxSizeMb: 5, accept: ['image/png'] } },
  });
  const changed = await send(creator, 'PUT', id, {
    title: { de: 'Neu' },
    description: null,
    config: { createsDocument: null, uploads: { maxSizeMb: 7 } },
    fields: [{ id: 'other', type: 'email', label: 'Address' }],
  });
  assert.equal(changed.status, 200, changed.text);
  const { title, config, fields: now, revision, description } = changed.body;
  assert.deepEqual(title, { en: 'Intake', de: 'Neu' });
  assert.deepEqual([config.createsDocument, config.uploads], [false, { maxSizeMb: 7, accept: ['image/png'] }]);
  assert.deepEqual([now.length, now[0].id, revision, description], [1, 'other', 2, undefined]);
  const asRead = await send(creator, 'PUT', id, { ...changed.body, title: 'Renamed' });
  assert.deepEqual([asRead.status, asRead.body.title, asRead.body.userId], [200, 'Renamed', creator.id], asRead.text);
});

test('errors of a definition are reported with their position when it is saved', async () => {
  const wrong = await send(creator, 'POST', '', {
    ...form,
    fields: [
      { id: 'a', type: 'text', label: 'A', validation: { pattern: '(?=x)' } },
      { id: 'a', type: 'select', label: 'B' },
    ],
  });
  assert.equal(wrong.status, 422, wrong.text);
  const pointers = wrong.body.errors.map(({ pointer }: any) => pointer);
  for (const pointer of ['/fields/0/validation/pattern', '/fields/1/id', '/fields/1/options'])
    assert.ok(pointers.includes(pointer), pointer);
  const large = await send(creator, 'POST', '', {
    ...form,
    fields: Array.from({ length: 400 }, (_, at) => ({ id: `f${at}`, type: 'text', label: 'L'.repeat(900), help: 'H'.repeat(900) })),
  });
  assert.equal(large.status, 400, large.text);
});

test('publishing requires the current revision and creates a version; the links stay the same', async () => {
  const { id } = await made(creator);
  const first = await send(creator, 'POST', `${id}/publish`, { revision: 1 });
  assert.equal(first.status, 200, first.text);
  assert.match(first.body.publicToken, /^[\w-]{64}$/);
  assert.equal(first.body.publicUrl, `http://localhost:8080/f/${first.body.publicToken}`);
  assert.notEqual(first.body.apiToken, first.body.publicToken);
  assert.deepEqual([first.body.status, first.body.publishedVersion, first.body.publishedRevision], ['published', 1, 1]);
  const again = await send(creator, 'POST', `${id}/publish`, { revision: 1 });
  assert.equal(again.body.publishedVersion, 1, 'the same draft gives the same version');
  await send(creator, 'PUT', id, { title: 'Second' });
  const stale = await send(creator, 'POST', `${id}/publish`, { revision: 1 });
  assert.deepEqual([stale.status, stale.body.code], [409, 'draft_changed']);
  assert.equal((await send(creator, 'PUT', id, { revision: 1, title: 'Stale' })).body.code, 'draft_changed');
  const second = await send(creator, 'POST', `${id}/publish`, { revision: 2 });
  assert.deepEqual(
    [second.body.publishedVersion, second.body.publicToken, second.body.apiToken],
    [2, first.body.publicToken, first.body.apiToken],
  );
  const links = await send(creator, 'GET', `${id}/links`);
  assert.deepEqual(links.body, { publicToken: first.body.publicToken, publicUrl: first.body.publicUrl, apiToken: first.body.apiToken });
  const { rows } = await chancery.pool.query('SELECT hash, sealed FROM interface_link WHERE interface_id = $1', [id]);
  for (const { hash, sealed } of rows)
    for (const kept of [hash, sealed]) assert.ok(!kept.includes(first.body.publicToken) && !kept.includes(first.body.apiToken));
});

test('of 50 concurrent publications of one draft, one creates the version and all get its links', async () => {
  const { id } = await made(creator);
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(creator, 'POST', `${id}/publish`, { revision: 1 })));
  assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.publishedVersion} ${body.publicToken}`)).size, 1);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM interface_version WHERE interface_id = $1', [id]);
  assert.equal(rows[0].n, 1);
});

test('of 50 concurrent changes with the same ETag, one succeeds', async () => {
  const { id } = await made(creator);
  const etag = (await send(creator, 'GET', id)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => send(creator, 'PUT', id, { title: `T${n}` }, { 'if-match': etag })),
  );
  const passed = answers.filter(({ status }) => status === 200);
  assert.deepEqual([passed.length, answers.filter(({ status }) => status === 412).length], [1, 49]);
});

test('missing texts in the default language prevent publication; in other languages they cause warnings', async () => {
  const { id } = await made(creator, { title: { de: 'Nur deutsch' } });
  const refused = await send(creator, 'POST', `${id}/publish`, { revision: 1 });
  assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].pointer], [422, 'interface_invalid', '/title']);
  await send(creator, 'PUT', id, { title: { en: 'English', de: null } });
  const warned = await send(creator, 'POST', `${id}/publish`, { revision: 2 });
  assert.deepEqual([warned.status, warned.body.warnings.map(({ pointer }: any) => pointer)], [200, ['/title']]);
  const empty = await made(creator, { fields: [] });
  assert.equal((await send(creator, 'POST', `${empty.id}/publish`, { revision: 1 })).body.errors[0].pointer, '/fields');
});

test('a published form is closed once, and publishing opens it again', async () => {
  const draft = await made(creator);
  for (const at of [`${draft.id}/close`, `${draft.id}/rotate-token`])
    assert.equal(
      (await send(creator, 'POST', at, at.endsWith('token') ? { channel: 'api' } : undefined)).body.code,
      'interface_not_published',
    );
  assert.equal((await send(creator, 'GET', `${draft.id}/links`)).body.code, 'interface_not_published');
  const { id } = await published(creator);
  assert.equal((await send(creator, 'POST', `${id}/close`)).body.status, 'closed');
  assert.equal((await send(creator, 'POST', `${id}/close`)).body.code, 'interface_not_published');
  const again = await send(creator, 'POST', `${id}/publish`, { revision: 1 });
  assert.deepEqual([again.body.status, again.body.publishedVersion], ['published', 2]);
});

test('an interface belongs to its creator; others need a role or a share', async () => {
  const { id } = await made(creator);
  const [other, viewer, client] = [await chancery.user(team), await chancery.user(team, { role: 'viewer' }), await chancery.client(owner)];
  for (const stranger of [other, viewer]) {
    assert.equal((await send(stranger, 'GET', id)).status, 404);
    assert.ok(!(await send(stranger, 'GET', '')).text.includes(id));
  }
  for (const [token, status] of [
    [owner.token, 200],
    [client.token, 200],
    [other.token, 404],
  ] as const)
    assert.equal((await chancery.call('PUT', `${path}/${id}`, { token, body: { title: 'By another' } })).status, status);
  assert.equal((await chancery.call('DELETE', `${path}/${id}`, { token: client.token })).status, 403, 'an API client cannot delete');
  assert.equal((await send(viewer, 'POST', '', form)).status, 403);
  const byClient = await chancery.call('POST', `${path}/`, { token: client.token, body: form });
  assert.deepEqual([byClient.body.userId, byClient.body.createdByType], [owner.id, 'client']);
});

test('submissions need a folder that the creator can write to; a restricted client sees forms with its folders', async () => {
  const [mine, theirs] = [await chancery.folder(creator), await chancery.folder(owner)];
  const refused = await send(creator, 'POST', '', { ...form, config: { folderId: theirs.id } });
  assert.deepEqual([refused.status, refused.body.code], [422, 'parent_not_found']);
  const there = await made(creator, { config: { folderId: mine.id } });
  const elsewhere = await made(creator);
  const client = await chancery.client(owner, ['interfaces:read', 'interfaces:write', 'folders:read']);
  await chancery.call('PATCH', `/api/v1/security/clients/${client.id}`, { token: owner.token, body: { folderIds: [mine.id] } });
  const as = (method: string, at: string, body?: unknown) =>
    chancery.call(method, `${path}/${at}`, { token: client.token, ...(body ? { body } : {}) });
  const seen = await as('GET', '');
  assert.deepEqual([seen.text.includes(there.id), seen.text.includes(elsewhere.id)], [true, false]);
  assert.deepEqual([(await as('GET', there.id)).status, (await as('GET', elsewhere.id)).status], [200, 404]);
  assert.equal((await as('POST', '', form)).status, 403, 'a new form must be in one of its folders');
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${mine.id}/barrier`, { token: creator.token, body: { userIds: [] } });
  assert.equal((await as('GET', there.id)).status, 404, 'it is not a member of any barrier');
});

test('a list is filtered by status and type', async () => {
  const { owner: alone } = await chancery.team();
  const { id } = await published(alone);
  await made(alone, { type: 'scheduling' });
  const ids = async (query: string) => (await send(alone, 'GET', `?${query}`)).body.map((one: any) => one.id);
  assert.deepEqual(await ids('status=published&status=closed'), [id]);
  assert.deepEqual([(await ids('type=scheduling')).length, (await ids('status=suspended')).length], [1, 0]);
});

test('behind a barrier, events of an interface are recorded without its title', async () => {
  const folder = await chancery.folder(creator);
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { token: creator.token, body: { userIds: [] } });
  const { id } = await published(creator, { title: 'Secret merger', config: { folderId: folder.id } });
  await send(creator, 'POST', `${id}/close`);
  await send(creator, 'DELETE', id);
  const { rows } = await chancery.pool.query('SELECT type, data::text FROM audit_entry WHERE target_id = $1', [id]);
  assert.equal(rows.length, 4);
  for (const { type, data } of rows) assert.ok(!data.includes('Secret'), `${type} ${data}`);
});

test('a barrier on the folder of the submissions hides the form from excluded members; its public link still works', async () => {
  const folder = await chancery.folder(creator);
  const { id, publicToken } = await published(creator, { config: { folderId: folder.id } });
  const [admin, editor] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team)];
  await send(creator, 'POST', `${id}/shares`, { userId: editor.id, rights: ['edit', 'submissions'] });
  const client = await chancery.client(owner, ['interfaces:read', 'interfaces:write']);
  await send(creator, 'PUT', `${id}/calendar`, { timeZone: 'UTC' });
  const { body: preview } = await send(admin, 'POST', `${id}/preview`);
  const page = () => fetch(`${chancery.url}/preview/${preview.previewToken}`);
  assert.equal((await page()).status, 200);
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { token: creator.token, body: { userIds: [] } });
  const reads = ['', '/shares', '/access', '/links', '/statistics', '/submissions', '/calendar', '/bookings'];
  const requests: [method: string, at: string, body?: object][] = [
    ...reads.map((at) => ['GET', at] as [string, string]),
    ['PUT', '', { title: 'Other' }],
    ['DELETE', ''],
    ['POST', '/publish', { revision: 1 }],
    ['POST', '/close'],
    ['POST', '/rotate-token', { channel: 'public' }],
    ['POST', '/preview'],
    ['POST', '/duplicate', {}],
    ['POST', '/submissions/exports', { format: 'csv' }],
  ];
  for (const by of [owner, admin, editor, client as unknown as User]) {
    assert.ok(!(await send(by, 'GET', '')).text.includes(id));
    for (const [method, at, body] of requests) {
      const answer = await send(by, method, `${id}${at}`, body);
      // An API client cannot delete any form.
      const refusal = by.token === client.token && (method === 'DELETE' || at === '/shares') ? [403, 404] : [404];
      assert.ok(refusal.includes(answer.status), `${method} ${at} answered ${answer.status}: ${answer.text}`);
    }
  }
  assert.equal((await page()).status, 404, 'the preview of an excluded administrator');
  const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
  assert.equal(answer.status, 200, answer.text);
  assert.ok((await send(creator, 'GET', '')).text.includes(id));
  assert.equal((await send(creator, 'GET', `${id}/submissions`)).body.length, 1);

  const emergency = `/api/v1/barriers/${folder.id}/emergency-access`;
  const request = await chancery.call('POST', emergency, { token: admin.token, body: { reason: 'Discovery' } });
  await chancery.call('POST', `${emergency}/${request.body.id}/approve`, { token: owner.token });
  for (const at of ['', '/submissions', '/bookings']) assert.equal((await send(admin, 'GET', `${id}${at}`)).status, 200, at);
  for (const [method, at, body] of [
    ['PUT', '', { title: 'Other' }],
    ['DELETE', ''],
    ['POST', '/shares', { team: true, rights: ['submissions'] }],
    ['DELETE', `/submissions/${answer.body.submissionId}`],
  ] as const)
    assert.equal((await send(admin, method, `${id}${at}`, body)).status, 403, `${method} ${at}`);
});

test('a team can have as many interfaces as its quota allows, even with 20 concurrent creations', async () => {
  const { id, owner: alone } = await chancery.team();
  await chancery.pool.query("INSERT INTO team_quota (team_id, name, most) VALUES ($1, 'interfaces', 3)", [id]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(alone, 'POST', '', form)));
  const refused = answers.filter(({ status }) => status === 409);
  assert.deepEqual(
    [answers.filter(({ status }) => status === 201).length, refused.length, refused[0]?.body.code],
    [3, 17, 'quota_exceeded'],
  );
});

test('an edit or a publication with a folder that the actor cannot see is rejected', async () => {
  const theirs = await chancery.folder(owner);
  const { id } = await made(creator);
  const changed = await send(creator, 'PUT', id, { config: { folderId: theirs.id } });
  assert.deepEqual([changed.status, changed.body.code], [422, 'parent_not_found']);
  assert.equal((await send(creator, 'PUT', id, { fields: [{ id: 'a', type: 'select', label: 'A' }] })).body.code, 'interface_invalid');
  const mine = await chancery.folder(creator);
  await send(creator, 'PUT', id, { config: { folderId: mine.id } });
  await chancery.call('DELETE', `/api/v1/smartdoc/folders/${mine.id}`, { token: creator.token });
  const refused = await send(creator, 'POST', `${id}/publish`, { revision: 2 });
  assert.deepEqual([refused.status, refused.body.code], [422, 'parent_not_found']);
});

test('an interface is shared with a member or the team for editing, for submissions, or both; a share can be revoked', async () => {
  const { id } = await made(creator);
  const [reader, viewer] = [await chancery.user(team), await chancery.user(team, { role: 'viewer' })];
  assert.equal((await send(reader, 'GET', id)).status, 404);
  const share = await send(creator, 'POST', `${id}/shares`, { userId: reader.id, rights: ['submissions'] });
  assert.deepEqual([share.status, share.body.rights, share.body.userId], [201, ['submissions'], reader.id], share.text);
  assert.deepEqual([(await send(reader, 'GET', id)).status, (await send(reader, 'PUT', id, { title: 'X' })).status], [200, 403]);
  assert.ok((await send(reader, 'GET', '')).text.includes(id));
  const more = await send(creator, 'POST', `${id}/shares`, { userId: reader.id, rights: ['edit', 'submissions'] });
  assert.equal(more.body.id, share.body.id, 'a second share changes the first');
  assert.equal((await send(reader, 'PUT', id, { title: 'X' })).status, 200);
  for (const [by, body, status, code] of [
    [reader, { userId: viewer.id, rights: ['edit'] }, 403, 'forbidden'],
    [creator, { userId: creator.id, rights: ['edit'] }, 409, 'self_share_not_allowed'],
    [owner, { userId: creator.id, rights: ['edit'] }, 404, 'member_not_found'],
    [creator, { userId: 'nobody', rights: ['edit'] }, 404, 'member_not_found'],
    [creator, { rights: ['edit'] }, 400, 'validation_failed'],
    [creator, { userId: viewer.id, rights: [] }, 400, 'validation_failed'],
  ] as const) {
    const refused = await send(by, 'POST', `${id}/shares`, body);
    assert.deepEqual([refused.status, refused.body.code], [status, code], JSON.stringify(body));
  }
  await send(creator, 'POST', `${id}/shares`, { team: true, rights: ['edit'] });
  assert.deepEqual([(await send(viewer, 'GET', id)).status, (await send(viewer, 'PUT', id, { title: 'Y' })).status], [200, 403]);
  const list = (await send(creator, 'GET', `${id}/shares`)).body;
  assert.equal(list.length, 2);
  for (const { id: one } of list) assert.equal((await send(creator, 'DELETE', `${id}/shares/${one}`)).status, 204);
  assert.equal((await send(reader, 'GET', id)).status, 404);
});

test('the access list has the reason for each person and marks excluded persons', async () => {
  const folder = await chancery.folder(creator);
  const { id } = await made(creator, { config: { folderId: folder.id } });
  const reader = await chancery.user(team);
  await send(creator, 'POST', `${id}/shares`, { userId: reader.id, rights: ['submissions'] });
  await send(owner, 'PUT', id, { title: 'By an administrator' });
  assert.equal((await send(reader, 'GET', `${id}/access`)).status, 403);
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, { token: creator.token, body: { userIds: [] } });
  const { grants, privilegedAccess } = (await send(creator, 'GET', `${id}/access`)).body;
  const of = (user: User) => grants.find(({ userId }: any) => userId === user.id);
  assert.deepEqual([of(creator).reason, of(creator).rights, of(creator).barred], ['owner', ['edit', 'submissions'], undefined]);
  assert.deepEqual([of(reader).reason, of(reader).rights, of(reader).barred], ['share', ['submissions'], true]);
  assert.deepEqual([of(owner).reason, of(owner).barred], ['role', true]);
  assert.deepEqual(
    privilegedAccess.map(({ type, userId }: any) => [type, userId]),
    [['interface.updated', owner.id]],
  );
});

test('interfaces of an offboarded member go to the successor, and the shares of the member end', async () => {
  const { id: team2, owner: successor } = await chancery.team();
  const [leaver, other] = [await chancery.user(team2), await chancery.user(team2)];
  const { id } = await published(leaver);
  const theirs = await made(other);
  await send(other, 'POST', `${theirs.id}/shares`, { userId: leaver.id, rights: ['edit'] });
  await send(leaver, 'POST', `${id}/shares`, { userId: successor.id, rights: ['submissions'] });
  const removed = await chancery.call('DELETE', `/api/v1/team/members/${leaver.id}`, { token: successor.token });
  assert.equal(removed.status, 204, removed.text);
  const mine = (await send(successor, 'GET', id)).body;
  assert.deepEqual([mine.userId, mine.createdBy, mine.status], [successor.id, leaver.id, 'published']);
  assert.deepEqual((await send(successor, 'GET', `${id}/shares`)).body, []);
  assert.deepEqual((await send(other, 'GET', `${theirs.id}/shares`)).body, []);
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'interface.handed_over'", [id]);
  assert.deepEqual(rows, [{ data: { from: leaver.id, to: successor.id } }]);
});

test('a folder with answers stays in the bin as long as the answers, and other folders are purged', async () => {
  const [kept, goes] = [await chancery.folder(creator), await chancery.folder(creator)];
  const { id } = await published(creator, { config: { folderId: kept.id } });
  for (const folder of [kept, goes]) await chancery.call('DELETE', `/api/v1/smartdoc/folders/${folder.id}`, { token: creator.token });
  await chancery.pool.query("UPDATE folder SET deleted_at = now() - interval '40 days' WHERE id = ANY ($1)", [[kept.id, goes.id]]);
  await purgeFolders({ database: chancery.database, isolation: isolationOf(chancery) }, new Date());
  const { rows } = await chancery.pool.query('SELECT id FROM folder WHERE id = ANY ($1)', [[kept.id, goes.id]]);
  assert.deepEqual(rows, [{ id: kept.id }]);
  assert.equal((await send(creator, 'GET', id)).status, 200);
});
