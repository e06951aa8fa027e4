import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { setDocumentStatus } from '#documents';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let writer: User;
let admin: User;
let member: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  [owner, writer, member] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
});

const { call: ask, made: done, shareFolder: share } = asking(() => chancery);
const get = async (by: Asker, id: string) => (await ask(by, 'GET', `${documents}/${id}`)).status;

/** A folder of the owner that `writer` may write to, with a folder and a document in it. */
async function sharedTree() {
  const [root, beside] = [await chancery.folder(owner), await chancery.folder(owner)];
  const top = await chancery.folder(owner, { parentId: root.id });
  const below = await chancery.folder(owner, { parentId: top.id });
  const document = await chancery.document(owner, { folderId: below.id });
  await share(owner, top.id, { userId: writer.id }, 'write');
  return { root, beside, top, below, document };
}

describe('a share to write', () => {
  test('lets its recipient add, rename, change, move and bin inside the tree', async () => {
    const { top, below, document } = await sharedTree();
    const folder = await chancery.folder(writer, { parentId: top.id });
    const added = await chancery.document(writer, { folderId: folder.id });
    assert.deepEqual([folder.userId, added.userId], [owner.id, owner.id]);
    await done(writer, 'PUT', `${folders}/${below.id}`, { name: 'Renamed' });
    await done(writer, 'PUT', `${documents}/${document.id}`, { title: 'Renamed' });
    await done(writer, 'PATCH', `${documents}/${document.id}/move`, { folderId: folder.id });
    await done(writer, 'PATCH', `${folders}/${folder.id}/move`, { parentId: below.id });
    await done(writer, 'DELETE', `${documents}/${document.id}`);
    await done(writer, 'DELETE', `${folders}/${below.id}?recursive=true`);
  });

  test('never becomes ownership: only the owner or an administrator moves content out of its tree', async () => {
    const { beside, top, below, document } = await sharedTree();
    const own = await chancery.folder(writer);
    for (const [method, path, body] of [
      ['PATCH', `${folders}/${top.id}/move`, { parentId: own.id }],
      ['PATCH', `${folders}/${below.id}/move`, { parentId: own.id }],
      ['PUT', `${folders}/${below.id}`, { parentId: own.id }],
      ['PATCH', `${folders}/${below.id}/move`, { parentId: null }],
      ['PATCH', `${folders}/${top.id}/move`, { parentId: null }],
      ['DELETE', `${folders}/${top.id}?recursive=true`, undefined],
      ['PATCH', `${documents}/${document.id}/move`, { folderId: own.id }],
      ['PATCH', `${documents}/${document.id}/move`, { folderId: null }],
      ['POST', `${folders}/${top.id}/shares`, { userId: member.id, access: 'read' }],
      ['POST', `${folders}/${top.id}/shares`, { team: true, access: 'read' }],
      ['GET', `${folders}/${top.id}/access`, undefined],
      ['GET', `${documents}/${document.id}/access`, undefined],
      ['POST', `${documents}/${document.id}/access`, { userId: member.id, access: 'read' }],
      ['PUT', `${folders}/${top.id}/barrier`, { userIds: [] }],
    ] as const) {
      const answer = await ask(writer, method, path, body);
      assert.equal(answer.status, 403, `${method} ${path} answered ${answer.status}`);
    }
    assert.equal((await ask(writer, 'PATCH', `${documents}/${document.id}/move`, { folderId: beside.id })).status, 422, 'not shared');
    assert.equal(await get(owner, document.id), 200);
    await done(owner, 'PATCH', `${documents}/${document.id}/move`, { folderId: null });
    assert.equal(await get(member, document.id), 404, 'outside of any folder it is its owner’s alone');
  });

  test('lets its recipient move their own content into the tree, whose owner then owns all of it', async () => {
    const { top } = await sharedTree();
    const mine = await chancery.folder(writer);
    const inside = await chancery.document(writer, { folderId: mine.id });
    const alone = await chancery.document(writer);
    await done(writer, 'PATCH', `${folders}/${mine.id}/move`, { parentId: top.id });
    await done(writer, 'PATCH', `${documents}/${alone.id}/move`, { folderId: top.id });
    for (const { id } of [inside, alone]) assert.equal((await done(owner, 'GET', `${documents}/${id}`)).userId, owner.id);
    const given = await chancery.folder(owner);
    const theirs = await chancery.folder(member);
    await share(member, theirs.id, { userId: writer.id }, 'write');
    await share(owner, given.id, { userId: writer.id }, 'write');
    const third = await chancery.document(owner, { folderId: given.id });
    assert.equal(
      (await ask(writer, 'PATCH', `${documents}/${third.id}/move`, { folderId: theirs.id })).status,
      403,
      'not what is another’s',
    );
    assert.equal((await ask(admin, 'PATCH', `${documents}/${third.id}/move`, { folderId: theirs.id })).body.userId, member.id);
  });
});

test('a folder is shared with the whole team, including later members, and the list shows it', async () => {
  const folder = await chancery.folder(owner);
  const document = await chancery.document(owner, { folderId: folder.id });
  assert.equal(await get(member, document.id), 404);
  const made = await share(owner, folder.id, { team: true }, 'read');
  assert.deepEqual([made.team, made.userId, made.access], [true, undefined, 'read']);
  const late = await chancery.user(team);
  for (const by of [member, late]) {
    assert.equal(await get(by, document.id), 200);
    assert.equal((await done(by, 'GET', `${folders}/`)).find(({ id }: { id: string }) => id === folder.id).teamAccess, 'read');
  }
  assert.equal((await ask(member, 'PUT', `${documents}/${document.id}`, { title: 'x' })).status, 403);
  await share(owner, folder.id, { team: true }, 'write');
  await done(member, 'PUT', `${documents}/${document.id}`, { title: 'x' });
  assert.equal((await done(owner, 'GET', `${folders}/${folder.id}/shares`)).length, 1, 'a second share replaces the first');
  for (const body of [{ access: 'read' }, { access: 'read', team: true, userId: member.id }, { access: 'read', team: false }])
    assert.equal((await ask(owner, 'POST', `${folders}/${folder.id}/shares`, body)).status, 400);
  await done(owner, 'DELETE', `${folders}/${folder.id}/access/${made.id}`);
  assert.equal(await get(member, document.id), 404);
});

test('administrators see and manage everything, and the owner sees actions by role alone', async () => {
  const form = new FormData();
  form.set('title', 'Private');
  form.set('file', new Blob(['text']), 'a.txt');
  const { id } = await done(owner, 'POST', `${documents}/`, form);
  const byRole = async (reader: typeof owner) => (await done(reader, 'GET', `${documents}/${id}`)).byRole;
  assert.deepEqual([await byRole(owner), await byRole(admin)], [undefined, true]);
  await done(admin, 'GET', `${documents}/${id}/content`);
  await done(admin, 'PUT', `${documents}/${id}`, { title: 'By an administrator' });
  await done(owner, 'GET', `${documents}/${id}/content`);
  const given = await done(owner, 'POST', `${documents}/${id}/access`, { userId: member.id, access: 'read' });
  await done(member, 'GET', `${documents}/${id}/content`);
  assert.equal(await byRole(member), undefined);
  const { grants, privilegedAccess } = await done(owner, 'GET', `${documents}/${id}/access`);
  assert.deepEqual(
    privilegedAccess.map(({ type, userId, version }: any) => [type, userId, version]).toSorted(),
    [
      ['document.content_read', admin.id, 1],
      ['document.updated', admin.id, undefined],
    ].toSorted(),
  );
  assert.deepEqual(
    grants.map(({ userId, reason, access }: any) => `${userId} ${reason} ${access}`).toSorted(),
    [`${owner.id} owner write`, `${member.id} share read`, `${admin.id} role write`, `${team.owner.id} role write`].toSorted(),
  );
  const { rows } = await chancery.pool.query(
    "SELECT actor_id, data->>'via' AS via FROM audit_entry WHERE target_id = $1 AND type = 'document.content_read'",
    [id],
  );
  assert.deepEqual(
    rows.map(({ actor_id: by, via }) => `${by} ${via}`).toSorted(),
    [`${admin.id} role`, `${owner.id} owner`, `${member.id} share`].toSorted(),
  );
  await done(owner, 'DELETE', `${documents}/${id}/access/${given.id}`);
  assert.equal(await get(member, id), 404);
  assert.equal((await ask(owner, 'DELETE', `${documents}/${id}/access/${given.id}`)).status, 404);
});

test('a confined client reaches its folders and their content, and creates nothing elsewhere', async () => {
  const top = await chancery.folder(team.owner);
  const below = await chancery.folder(team.owner, { parentId: top.id });
  const [within, without] = [await chancery.document(team.owner, { folderId: below.id }), await chancery.document(team.owner)];
  const scopes = ['folders:read', 'folders:write', 'documents:read', 'documents:write'];
  const client = await chancery.client(team.owner, scopes);
  await done(team.owner, 'PATCH', `/api/v1/security/clients/${client.id}`, { folderIds: [top.id] });
  assert.deepEqual([await get(client, within.id), await get(client, without.id)], [200, 404]);
  const ids = async (path: string) => (await done(client, 'GET', path)).map(({ id }: { id: string }) => id);
  assert.deepEqual([(await ids(`${folders}/`)).toSorted(), await ids(`${documents}/`)], [[top.id, below.id].toSorted(), [within.id]]);
  assert.equal((await ask(client, 'POST', `${folders}/`, { name: 'Top' })).status, 403);
  assert.equal((await ask(client, 'POST', `${documents}/`, { title: 'Top' })).status, 403);
  await done(client, 'POST', `${documents}/`, { title: 'Within', folderId: below.id });
  assert.equal((await ask(client, 'DELETE', `${folders}/${top.id}?recursive=true`)).status, 403);
  assert.equal((await ask(client, 'PATCH', `${documents}/${within.id}/move`, { folderId: null })).status, 403);
});

test('an API client shares only its own content, and never changes an owner', async () => {
  const client = await chancery.client(team.owner);
  const made = await done(client, 'POST', `${folders}/`, { name: 'By a client' });
  await share(client, made.id, { userId: member.id }, 'write');
  const theirs = await chancery.folder(owner);
  assert.equal((await ask(client, 'POST', `${folders}/${theirs.id}/shares`, { userId: member.id, access: 'read' })).status, 403);
  assert.equal((await ask(client, 'PATCH', `${folders}/${theirs.id}/move`, { parentId: made.id })).status, 403);
});

test('the bin of documents is for the owner and administrators, and restored documents return to their location', async () => {
  const { below, document } = await sharedTree();
  await done(writer, 'DELETE', `${documents}/${document.id}`);
  const binned = async (by: Asker) =>
    (await done(by, 'GET', `${documents}/bin`)).some(({ id, deletedAt }: any) => id === document.id && deletedAt);
  assert.deepEqual([await binned(owner), await binned(admin), await binned(writer), await binned(member)], [true, true, false, false]);
  assert.equal((await ask(writer, 'POST', `${documents}/${document.id}/restore`)).status, 404);
  assert.equal((await done(owner, 'POST', `${documents}/${document.id}/restore`)).folderId, below.id);
  await done(owner, 'DELETE', `${documents}/${document.id}`);
  await done(owner, 'DELETE', `${folders}/${below.id}`);
  assert.equal('folderId' in (await done(admin, 'POST', `${documents}/${document.id}/restore`)), false);
  assert.equal(await get(writer, document.id), 404);
});

test('resulting states are set by other domains, and recorded with the old and new value', async () => {
  const { id } = await chancery.document(owner);
  const set = (status: 'in_review' | 'approved') =>
    chancery.database.inTeam(team.id, (db) =>
      setDocumentStatus(
        { db, team: team.id, actor: { type: 'user', id: owner.id }, now: new Date(), requestId: 'test', listeners: [] },
        id,
        status,
      ),
    );
  await set('in_review');
  await set('in_review');
  assert.equal((await done(owner, 'GET', `${documents}/${id}`)).status, 'in_review');
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'document.updated'", [id]);
  assert.deepEqual(
    rows.map(({ data }) => data.changes),
    [{ status: { from: 'draft', to: 'in_review' } }],
  );
});

test('trees nest 64 levels through the bin too: what no longer fits comes back to the top', async () => {
  const chain = async (length: number, name: string) => {
    const ids: string[] = [];
    for (let n = 0; n < length; n += 1)
      ids.push((await chancery.folder(owner, { name: `${name}${n}`, ...(n ? { parentId: ids.at(-1) } : {}) })).id);
    return ids;
  };
  const [deep, moved] = [await chain(60, 'deep'), await chain(10, 'moved')];
  await done(owner, 'DELETE', `${folders}/${moved[1]}?recursive=true`);
  await done(owner, 'PATCH', `${folders}/${moved[0]}/move`, { parentId: deep.at(-1) });
  const restored = await done(owner, 'POST', `${folders}/${moved[1]}/restore`);
  assert.equal('parentId' in restored, false);
});

test('a rename together with a move meets no name on the way', async () => {
  const [from, to] = [await chancery.folder(owner), await chancery.folder(owner)];
  const folder = await chancery.folder(owner, { parentId: from.id, name: 'a' });
  await chancery.folder(owner, { parentId: from.id, name: 'b' });
  await chancery.folder(owner, { parentId: to.id, name: 'a' });
  const moved = await done(owner, 'PUT', `${folders}/${folder.id}`, { name: 'b', parentId: to.id });
  assert.deepEqual([moved.name, moved.parentId], ['b', to.id]);
});

test('concurrent moves of documents and deletions of their folders wait for each other without a deadlock error', async () => {
  for (let round = 0; round < 10; round += 1) {
    const top = await chancery.folder(owner);
    const [a, b] = [await chancery.folder(owner, { parentId: top.id }), await chancery.folder(owner, { parentId: top.id })];
    const made = await Promise.all(Array.from({ length: 6 }, (_, n) => chancery.document(owner, { folderId: (n % 2 ? a : b).id })));
    const answers = await Promise.all([
      ...made.map(({ id }, n) => ask(owner, 'PATCH', `${documents}/${id}/move`, { folderId: (n % 2 ? b : a).id })),
      ask(owner, 'DELETE', `${folders}/${top.id}?recursive=true`),
      ask(owner, 'DELETE', `${folders}/${a.id}?recursive=true`),
    ]);
    for (const { status, text } of answers) assert.ok([200, 404, 422].includes(status), `${status} ${text}`);
  }
});

test('lists show exactly the readable items, for any combination of shares, barriers and moves', async () => {
  const people = [owner, writer, member];
  const act = fc.oneof(
    fc.record({ kind: fc.constant('folder' as const), by: fc.nat(2), at: fc.nat(9) }),
    fc.record({ kind: fc.constant('document' as const), by: fc.nat(2), at: fc.nat(9) }),
    fc.record({ kind: fc.constant('share' as const), by: fc.nat(2), at: fc.nat(9), to: fc.nat(3), write: fc.boolean() }),
    fc.record({ kind: fc.constant('barrier' as const), by: fc.nat(2), at: fc.nat(9), to: fc.nat(2) }),
    fc.record({ kind: fc.constant('move' as const), by: fc.nat(2), at: fc.nat(9), to: fc.nat(9) }),
    fc.record({ kind: fc.constant('give' as const), by: fc.nat(2), at: fc.nat(9), to: fc.nat(2) }),
    fc.record({ kind: fc.constant('bin' as const), by: fc.nat(2), at: fc.nat(9) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 20 }), async (acts) => {
      const made: { folders: string[]; documents: string[] } = { folders: [], documents: [] };
      const pick = (list: string[], n: number) => list[n % Math.max(1, list.length)] ?? 'none';
      for (const one of acts) {
        const by = people[one.by] ?? owner;
        const folder = pick(made.folders, one.at);
        if (one.kind === 'folder' || one.kind === 'document') {
          const path = one.kind === 'folder' ? folders : documents;
          const place = one.at > 6 || folder === 'none' ? {} : one.kind === 'folder' ? { parentId: folder } : { folderId: folder };
          const answer = await ask(by, 'POST', `${path}/`, { [one.kind === 'folder' ? 'name' : 'title']: `n${Math.random()}`, ...place });
          if (answer.status === 201) made[one.kind === 'folder' ? 'folders' : 'documents'].push(answer.body.id);
        } else if (one.kind === 'share') {
          const to = one.to === 3 ? { team: true } : { userId: people[one.to]?.id };
          await ask(by, 'POST', `${folders}/${folder}/shares`, { ...to, access: one.write ? 'write' : 'read' });
        } else if (one.kind === 'barrier') await ask(by, 'PUT', `${folders}/${folder}/barrier`, { userIds: [people[one.to]?.id] });
        else if (one.kind === 'move') {
          await ask(by, 'PATCH', `${folders}/${folder}/move`, { parentId: pick(made.folders, one.to) });
          await ask(by, 'PATCH', `${documents}/${pick(made.documents, one.at)}/move`, { folderId: pick(made.folders, one.to) });
        } else if (one.kind === 'give')
          await ask(by, 'POST', `${documents}/${pick(made.documents, one.at)}/access`, { userId: people[one.to]?.id, access: 'read' });
        else await ask(by, 'DELETE', `${documents}/${pick(made.documents, one.at)}`);
      }
      for (const by of [...people, admin]) {
        for (const [path, ids] of [
          [folders, made.folders],
          [documents, made.documents],
        ] as const) {
          const listed = new Set((await done(by, 'GET', `${path}/`)).map(({ id }: { id: string }) => id));
          for (const id of ids)
            assert.equal(listed.has(id), (await ask(by, 'GET', `${path}/${id}`)).status === 200, `${by.role} ${path} ${id}`);
        }
      }
      const { rows } = await chancery.pool.query(
        `SELECT count(*)::int AS n FROM folder c JOIN folder p ON p.team_id = c.team_id AND p.id = c.parent_id
         WHERE c.user_id <> p.user_id OR (c.barrier_id <> c.id AND c.barrier_id <> p.barrier_id)`,
      );
      assert.equal(rows[0].n, 0, 'each folder has the owner of its tree and the barrier around it');
    }),
    { numRuns: 12 },
  );
});
