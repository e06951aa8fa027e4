import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

const path = '/api/v1/smartdoc/folders';
let chancery: Chancery;
let team: TestTeam;
let owner: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  owner = team.owner;
});

const at50 = Array.from({ length: 50 });
const statuses = (answers: { status: number }[]) => Object.groupBy(answers, ({ status }) => String(status));

test('a folder is created with its members, a Location and an ETag, and read back the same', async () => {
  const made = await chancery.call('POST', `${path}/`, {
    token: owner.token,
    body: { name: '  Contracts ', color: 'blue', matter: { no: 7 } },
  });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), `${path}/${made.body.id}`);
  assert.match(made.headers.get('etag') ?? '', /^"1-/);
  assert.deepEqual(made.body, {
    ...made.body,
    name: 'Contracts',
    color: 'blue',
    userId: owner.id,
    childrenCount: 0,
    documentsCount: 0,
    shareCount: 0,
    metadata: { matter: { no: 7 } },
  });
  assert.ok(!('parentId' in made.body), 'absent means absent');
  const read = await chancery.call('GET', `${path}/${made.body.id}`, { token: owner.token });
  assert.deepEqual(read.body, made.body);
});

test('names that differ by case alone are one name among siblings, and two names elsewhere', async () => {
  const parent = await chancery.folder(owner, { name: 'Case' });
  await chancery.folder(owner, { name: 'NDA', parentId: parent.id });
  const again = await chancery.call('POST', `${path}/`, { token: owner.token, body: { name: 'nda', parentId: parent.id } });
  assert.equal(again.status, 409);
  assert.equal(again.body.code, 'name_taken');
  const elsewhere = await chancery.call('POST', `${path}/`, { token: owner.token, body: { name: 'nda' } });
  assert.equal(elsewhere.status, 201);
});

test('of 50 concurrent creates with one name, one succeeds and 49 get `name_taken`', async () => {
  const answers = await Promise.all(at50.map(() => chancery.call('POST', `${path}/`, { token: owner.token, body: { name: 'Raced' } })));
  assert.deepEqual(
    Object.entries(statuses(answers)).map(([status, list]) => [status, list?.length]),
    [
      ['201', 1],
      ['409', 49],
    ],
  );
});

for (const [name, why] of [
  ['', 'empty'],
  ['   ', 'blank'],
  ['a/b', 'slash'],
  ['a\u0000b', 'control character'],
  ['x'.repeat(256), 'too long'],
  ['a\u202eb', 'bidirectional override'],
] as const) {
  test(`a name that is not one is refused: ${why}`, async () => {
    const answer = await chancery.call('POST', `${path}/`, { token: owner.token, body: { name } });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errors[0].pointer, '/name');
  });
}

test('counts are of direct children, documents and shares', async () => {
  const parent = await chancery.folder(owner, { name: 'Counted' });
  const child = await chancery.folder(owner, { name: 'Child', parentId: parent.id });
  await chancery.folder(owner, { name: 'Grandchild', parentId: child.id });
  await chancery.document(owner, { folderId: parent.id });
  const member = await chancery.user(team);
  await chancery.call('POST', `${path}/${parent.id}/shares`, { token: owner.token, body: { userId: member.id, access: 'read' } });
  const { body } = await chancery.call('GET', `${path}/${parent.id}`, { token: owner.token });
  assert.deepEqual([body.childrenCount, body.documentsCount, body.shareCount], [1, 1, 1]);
  const listed = (await chancery.call('GET', `${path}/`, { token: owner.token })).body.find(
    (folder: { id: string }) => folder.id === parent.id,
  );
  assert.deepEqual(listed, body, 'the list and the single read say the same');
});

test('a list is the whole array, or pages that a Link header joins', async () => {
  const paged = await chancery.team();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await chancery.folder(paged.owner, { name });
  const whole = await chancery.call('GET', path, { token: paged.owner.token });
  assert.equal(whole.body.length, 5);
  assert.equal(whole.headers.get('link'), null);
  const seen: string[] = [];
  for (let next: string | undefined = `${path}/?limit=2`; next;) {
    const page: Awaited<ReturnType<Chancery['call']>> = await chancery.call('GET', next, { token: paged.owner.token });
    seen.push(...page.body.map((folder: { name: string }) => folder.name));
    next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'e']);
  for (const cursor of ['nonsense', Buffer.from('["x"]').toString('base64url'), Buffer.from('[1]').toString('base64url')]) {
    const refused = await chancery.call('GET', `${path}/?cursor=${cursor}`, { token: paged.owner.token });
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [400, '/cursor'], cursor);
  }
});

test('a folder cannot be moved into its own subtree, nor by two moves that race', async () => {
  const a = await chancery.folder(owner, { name: 'A' });
  const b = await chancery.folder(owner, { name: 'B' });
  const below = await chancery.folder(owner, { name: 'A1', parentId: a.id });
  const into = await chancery.call('PATCH', `${path}/${a.id}/move`, { token: owner.token, body: { parentId: below.id } });
  assert.deepEqual([into.status, into.body.code], [409, 'folder_cycle']);
  for (let round = 0; round < 10; round += 1) {
    const raced = await Promise.all([
      chancery.call('PATCH', `${path}/${a.id}/move`, { token: owner.token, body: { parentId: b.id } }),
      chancery.call('PATCH', `${path}/${b.id}/move`, { token: owner.token, body: { parentId: a.id } }),
    ]);
    assert.deepEqual(raced.map(({ status }) => status).toSorted(), [200, 409]);
    for (const { id } of [a, b])
      assert.equal((await chancery.call('PATCH', `${path}/${id}/move`, { token: owner.token, body: { parentId: null } })).status, 200);
  }
});

test('folders nest 64 levels and no deeper, by creating or by moving', async () => {
  let parentId: string | undefined;
  for (let level = 1; level <= 64; level += 1)
    parentId = (await chancery.folder(owner, { name: `L${level}`, ...(parentId ? { parentId } : {}) })).id;
  const deeper = await chancery.call('POST', `${path}/`, { token: owner.token, body: { name: 'L65', parentId } });
  assert.deepEqual([deeper.status, deeper.body.code], [422, 'folder_too_deep']);
  const tree = await chancery.folder(owner, { name: 'moved down' });
  const moved = await chancery.call('PATCH', `${path}/${tree.id}/move`, { token: owner.token, body: { parentId } });
  assert.deepEqual([moved.status, moved.body.code], [422, 'folder_too_deep']);
  // Its content moves along, including content added deep inside at the same moment.
  const above = async (id: string) => (await chancery.call('GET', `${path}/${id}`, { token: owner.token })).body.parentId as string;
  const level62 = await above(await above(parentId ?? ''));
  const move = (id: string) => chancery.call('PATCH', `${path}/${id}/move`, { token: owner.token, body: { parentId: level62 } });
  const put = (id: string) => chancery.call('POST', `${path}/`, { token: owner.token, body: { name: 'late', parentId: id } });
  for (let round = 0; round < 15; round += 1) {
    const top = await chancery.folder(owner, { name: `raced down ${round}` });
    const below = await chancery.folder(owner, { name: 'below', parentId: top.id });
    const raced = await Promise.all(round % 2 === 0 ? [move(top.id), put(below.id)] : [put(below.id), move(top.id)]);
    assert.deepEqual(raced.map(({ status }) => Math.floor(status / 100)).toSorted(), [2, 4], `round ${round}`);
    assert.deepEqual(
      raced.flatMap(({ body }) => body.code ?? []),
      ['folder_too_deep'],
    );
  }
});

test('a folder with content is deleted only recursively, and restored with everything that went with it', async () => {
  const parent = await chancery.folder(owner, { name: 'Full' });
  const child = await chancery.folder(owner, { name: 'Inside', parentId: parent.id });
  const document = await chancery.document(owner, { folderId: child.id });
  const refused = await chancery.call('DELETE', `${path}/${parent.id}`, { token: owner.token });
  assert.deepEqual([refused.status, refused.body.code], [409, 'folder_not_empty']);
  const alone = await chancery.call('DELETE', `${path}/${child.id}`, { token: owner.token });
  assert.deepEqual([alone.status, alone.body.code], [409, 'folder_not_empty'], 'a document alone counts as content too');
  assert.equal((await chancery.call('GET', `${path}/${child.id}`, { token: owner.token })).status, 200);
  const guest = await chancery.user(team);
  const body = { userId: guest.id, access: 'write' };
  assert.equal((await chancery.call('POST', `${path}/${parent.id}/shares`, { token: owner.token, body })).status, 201);
  assert.deepEqual((await chancery.call('DELETE', `${path}/${parent.id}?recursive=true`, { token: owner.token })).body, { success: true });
  assert.equal((await chancery.call('GET', `${path}/${child.id}`, { token: owner.token })).status, 404);
  assert.equal((await chancery.call('GET', `/api/v1/smartdoc/documents/${document.id}`, { token: owner.token })).status, 404);
  assert.equal(
    (await chancery.call('POST', `${path}/${parent.id}/restore`, { token: guest.token })).status,
    404,
    'the bin belongs to its owner',
  );
  assert.equal((await chancery.call('POST', `${path}/${parent.id}/restore`, { token: owner.token })).status, 200);
  assert.equal((await chancery.call('GET', `${path}/${child.id}`, { token: owner.token })).status, 200);
  assert.equal((await chancery.call('GET', `/api/v1/smartdoc/documents/${document.id}`, { token: owner.token })).status, 200);
});

test('nothing is created in a folder that is deleted at the same moment', async () => {
  for (let round = 0; round < 15; round += 1) {
    const parent = await chancery.folder(owner, { name: `Doomed ${round}` });
    const [deleted, created] = await Promise.all([
      chancery.call('DELETE', `${path}/${parent.id}`, { token: owner.token }),
      chancery.call('POST', `${path}/`, { token: owner.token, body: { name: 'late', parentId: parent.id } }),
    ]);
    assert.ok(
      deleted.status === 200 ? created.status === 422 : deleted.status === 409 && created.status === 201,
      `${deleted.status} ${created.status}`,
    );
  }
});

test('PUT changes the given members, clears with null, keeps unknown members, and needs at least one', async () => {
  const made = await chancery.folder(owner, { name: 'Put', description: 'old', matter: 1 });
  const changed = await chancery.call('PUT', `${path}/${made.id}`, {
    token: owner.token,
    body: { name: 'Put 2', description: null, client: 'x' },
  });
  assert.deepEqual([changed.body.name, changed.body.description, changed.body.metadata], ['Put 2', undefined, { matter: 1, client: 'x' }]);
  assert.equal((await chancery.call('PUT', `${path}/${made.id}`, { token: owner.token, body: {} })).status, 400);
});

test('a stale If-Match is rejected and changes nothing', async () => {
  const made = await chancery.folder(owner, { name: 'Tagged' });
  const ok = await chancery.call('PUT', `${path}/${made.id}`, {
    token: owner.token,
    body: { color: 'red' },
    headers: { 'if-match': '"1"' },
  });
  assert.deepEqual([ok.status, ok.headers.get('etag')?.slice(0, 3)], [200, '"2-']);
  const stale = await chancery.call('PUT', `${path}/${made.id}`, {
    token: owner.token,
    body: { color: 'green' },
    headers: { 'if-match': '"1"' },
  });
  assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed']);
  assert.equal((await chancery.call('GET', `${path}/${made.id}`, { token: owner.token })).body.color, 'red');
});

test('of 50 changes from one version, one succeeds', async () => {
  const made = await chancery.folder(owner, { name: 'Versioned' });
  const answers = await Promise.all(
    at50.map((_, index) =>
      chancery.call('PUT', `${path}/${made.id}`, { token: owner.token, body: { color: `c${index}` }, headers: { 'if-match': '"1"' } }),
    ),
  );
  assert.equal(statuses(answers)['200']?.length, 1);
});

test('an Idempotency-Key creates once, also concurrently, and replays the response', async () => {
  const send = (name: string, key = 'create-once') =>
    chancery.call('POST', `${path}/`, { token: owner.token, body: { name }, headers: { 'idempotency-key': key } });
  const answers = await Promise.all(at50.map(() => send('Once')));
  const made = answers.filter(({ status }) => status === 201);
  assert.ok(made.length >= 1 && answers.every(({ status, body }) => status === 201 || body.code === 'idempotency_in_progress'));
  assert.equal(new Set(made.map(({ body }) => body.id)).size, 1, 'all responses have the same folder');
  const replay = await send('Once');
  assert.deepEqual(
    [replay.status, replay.headers.get('idempotency-replayed'), replay.headers.get('location')],
    [201, 'true', `${path}/${made[0]?.body.id}`],
  );
  const other = await send('Another');
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
});

test('a folder and everything below it is visible to its owner and to users with a share', async () => {
  const [reader, stranger] = [await chancery.user(team), await chancery.user(team)];
  const shared = await chancery.folder(owner, { name: 'Shared' });
  const below = await chancery.folder(owner, { name: 'Below', parentId: shared.id });
  assert.equal((await chancery.call('GET', `${path}/${below.id}`, { token: reader.token })).status, 404);
  const share = await chancery.call('POST', `${path}/${shared.id}/shares`, {
    token: owner.token,
    body: { userId: reader.id, access: 'read' },
  });
  assert.equal(share.status, 201);
  assert.equal((await chancery.call('GET', `${path}/${below.id}`, { token: reader.token })).status, 200);
  assert.deepEqual(
    (await chancery.call('GET', path, { token: reader.token })).body.map((folder: { id: string }) => folder.id),
    [shared.id, below.id],
  );
  assert.equal((await chancery.call('PUT', `${path}/${below.id}`, { token: reader.token, body: { color: 'x' } })).status, 403);
  const within = await chancery.call('POST', `${path}/`, { token: reader.token, body: { name: 'Mine', parentId: below.id } });
  assert.deepEqual([within.status, within.body.code], [422, 'parent_not_found'], 'nor puts anything into it');
  assert.equal((await chancery.call('GET', `${path}/${below.id}`, { token: stranger.token })).status, 404);
  await chancery.call('POST', `${path}/${shared.id}/shares`, { token: owner.token, body: { userId: reader.id, access: 'write' } });
  assert.equal((await chancery.call('PUT', `${path}/${below.id}`, { token: reader.token, body: { color: 'x' } })).status, 200);
  // Siblings of a shared folder are hidden, and an error for a name in use would disclose them.
  const beside = await chancery.folder(owner, { name: 'Beside what was shared' });
  const named = (id: string, name: string) => chancery.call('PUT', `${path}/${id}`, { token: reader.token, body: { name, color: 'y' } });
  for (const name of [beside.name, 'Free']) assert.equal((await named(shared.id, name)).body.code, 'forbidden', name);
  assert.deepEqual([(await named(shared.id, 'Shared')).status, (await named(below.id, 'Renamed')).status], [200, 200]);
  const made = await chancery.folder(reader, { name: 'By the reader', parentId: below.id });
  assert.equal(made.userId, owner.id, 'content created in a tree belongs to the owner of the tree');
  assert.equal((await chancery.call('DELETE', `${path}/${shared.id}/shares/${share.body.id}`, { token: owner.token })).status, 200);
  assert.equal((await chancery.call('GET', `${path}/${below.id}`, { token: reader.token })).status, 404);
});

test('a share names an active member of the team, and only the owner shares', async () => {
  const other = await chancery.team();
  const made = await chancery.folder(owner, { name: 'Mine' });
  for (const userId of [other.owner.id, 'nobody', '01999999-0000-7000-8000-000000000000']) {
    const answer = await chancery.call('POST', `${path}/${made.id}/shares`, { token: owner.token, body: { userId, access: 'read' } });
    assert.deepEqual([answer.status, answer.body.code], [404, 'member_not_found']);
  }
  const [writer, suspended] = [await chancery.user(team), await chancery.user(team)];
  const share = (token: string, userId: string) =>
    chancery.call('POST', `${path}/${made.id}/shares`, { token, body: { userId, access: 'write' } });
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [suspended.id]);
  assert.equal((await share(owner.token, suspended.id)).body.code, 'member_not_found');
  const { body } = await share(owner.token, writer.id);
  assert.deepEqual(
    [(await share(writer.token, (await chancery.user(team)).id)).body.code],
    ['forbidden'],
    'a user with write access may not share',
  );
  const ended = await chancery.call('DELETE', `${path}/${made.id}/shares/${body.id}`, { token: writer.token });
  assert.deepEqual([ended.status, ended.body.code], [403, 'forbidden']);
});

test('each change is one audit entry and one event, and a rejected change is neither', async () => {
  const fresh = await chancery.team();
  const count = async () =>
    (
      await chancery.pool.query(
        'SELECT (SELECT count(*) FROM audit_entry WHERE team_id = $1)::int AS entries, (SELECT count(*) FROM event WHERE team_id = $1)::int AS events',
        [fresh.id],
      )
    ).rows[0];
  const made = await chancery.folder(fresh.owner, { name: 'Recorded' });
  assert.deepEqual(await count(), { entries: 1, events: 1 });
  await chancery.call('POST', `${path}/`, { token: fresh.owner.token, body: { name: 'recorded' } });
  assert.deepEqual(await count(), { entries: 1, events: 1 });
  await chancery.call('DELETE', `${path}/${made.id}`, { token: fresh.owner.token });
  assert.deepEqual(await count(), { entries: 2, events: 2 });
  const { rows } = await chancery.pool.query('SELECT body FROM event WHERE team_id = $1 ORDER BY id LIMIT 1', [fresh.id]);
  const envelope = JSON.parse(rows[0].body.toString());
  assert.deepEqual(envelope.data, { folderId: made.id, teamId: fresh.id, data: { name: 'Recorded' } });
});
