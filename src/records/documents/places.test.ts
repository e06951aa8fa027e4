import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let writer: User;
let member: User;
let admin: User;
let client: { id: string; token: string };

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  [owner, writer, member] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
  client = await chancery.client(team.owner);
});

const { call: ask, made: done, status, folderBy, shareFolder: share } = asking(() => chancery);
const documentBy = (by: Asker, members: object = {}) => done(by, 'POST', `${documents}/`, { title: 'Document', ...members });
const shares = (by: Asker, id: string) => status(by, 'POST', `${folders}/${id}/shares`, { userId: member.id, access: 'read' });
const moveDocument = (by: Asker, id: string, folderId: string | null) => status(by, 'PATCH', `${documents}/${id}/move`, { folderId });
const moveFolder = (by: Asker, id: string, parentId: string | null) => status(by, 'PATCH', `${folders}/${id}/move`, { parentId });

describe('an API client shares its own content', () => {
  test('while only the client created its content, including the bin', async () => {
    const made = await folderBy(client);
    const inside = await folderBy(client, { parentId: made.id });
    const filed = await documentBy(client);
    await documentBy(client, { folderId: inside.id });
    assert.equal(await moveDocument(client, filed.id, inside.id), 200);
    assert.equal(await shares(client, made.id), 201);
    const more = await documentBy(team.owner, { folderId: inside.id });
    assert.equal(await shares(client, made.id), 403);
    await done(team.owner, 'DELETE', `${documents}/${more.id}`);
    assert.equal(await shares(client, made.id), 403, 'binned content may be restored');
  });

  test('but not content of others, however it got there', async () => {
    const theirs = { document: await documentBy(team.owner), folder: await folderBy(team.owner) };
    await documentBy(team.owner, { folderId: theirs.folder.id });
    const other = await chancery.client(team.owner);
    const byAnother = await documentBy(other);
    for (const put of [
      (top: string) => moveDocument(client, theirs.document.id, top),
      (top: string) => moveFolder(client, theirs.folder.id, top),
      (top: string) => moveDocument(client, byAnother.id, top),
    ]) {
      const top = (await folderBy(client)).id;
      const below = (await folderBy(client, { parentId: top })).id;
      assert.equal(await put(below), 200);
      assert.deepEqual([await shares(client, below), await shares(client, top)], [403, 403]);
    }
  });

  test('nor does it move content to where others read it after another actor moved, barred or took over its folder', async () => {
    const wide = await folderBy(team.owner);
    await share(team.owner, wide.id, { userId: member.id }, 'read');
    const leaver = await chancery.user(team);
    const theirs = await folderBy(leaver);
    const place = await folderBy(team.owner);
    for (const [what, taking] of Object.entries<(top: string) => Promise<unknown>>({
      moved: (top) => done(team.owner, 'PATCH', `${folders}/${top}/move`, { parentId: place.id }),
      barred: async (top) => {
        await done(team.owner, 'PUT', `${folders}/${top}/barrier`, { userIds: [] });
        await done(team.owner, 'DELETE', `${folders}/${top}/barrier`);
      },
      'taken over': async () => {
        await done(team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}`);
      },
    })) {
      const top = (await folderBy(client, what === 'taken over' ? { parentId: theirs.id } : {})).id;
      const below = (await folderBy(client, { parentId: top })).id;
      const [one, two] = [await documentBy(client, { folderId: top }), await documentBy(client, { folderId: below })];
      await taking(top);
      assert.deepEqual([await moveDocument(client, one.id, wide.id), await moveDocument(client, two.id, wide.id)], [403, 403], what);
    }
    const own = await documentBy(client, { folderId: (await folderBy(client)).id });
    assert.equal(await moveDocument(client, own.id, wide.id), 200, 'untouched content of its own may be moved');
  });

  test('and no longer after another actor moved it, took it over or changed a document in it', async () => {
    const place = await folderBy(team.owner);
    const make = async () => {
      const top = await folderBy(client);
      const below = await folderBy(client, { parentId: top.id });
      return { top, below, document: await documentBy(client, { folderId: below.id }) };
    };
    const file = new FormData();
    file.set('file', new Blob(['text']), 'a.txt');
    const other = await chancery.client(team.owner);
    for (const [what, taking] of Object.entries<(made: Awaited<ReturnType<typeof make>>) => Promise<unknown>>({
      moved: ({ top }) => done(team.owner, 'PATCH', `${folders}/${top.id}/move`, { parentId: place.id }),
      'moved by a change': ({ top }) => done(team.owner, 'PUT', `${folders}/${top.id}`, { parentId: place.id }),
      barred: async ({ top }) => {
        await done(team.owner, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [] });
        await done(team.owner, 'DELETE', `${folders}/${top.id}/barrier`);
      },
      'a version': ({ document }) => done(team.owner, 'POST', `${documents}/${document.id}/versions`, file),
      'a title': ({ document }) => done(team.owner, 'PUT', `${documents}/${document.id}`, { title: 'Theirs' }),
      'words about a folder': ({ below }) => done(team.owner, 'PUT', `${folders}/${below.id}`, { description: 'Theirs' }),
      'words of another client': ({ below }) => done(other, 'PUT', `${folders}/${below.id}`, { metadata: { theirs: 'words' } }),
      'a folder from the bin': async ({ below }) => {
        await done(team.owner, 'DELETE', `${folders}/${below.id}?recursive=true`);
        await done(client, 'POST', `${folders}/${below.id}/restore`);
      },
      'a folder out of the bin': async ({ below }) => {
        await done(client, 'DELETE', `${folders}/${below.id}?recursive=true`);
        await done(team.owner, 'POST', `${folders}/${below.id}/restore`);
      },
      'a document from the bin': async ({ document }) => {
        await done(team.owner, 'DELETE', `${documents}/${document.id}`);
        await done(client, 'POST', `${documents}/${document.id}/restore`);
      },
      'a document out of the bin': async ({ document }) => {
        await done(client, 'DELETE', `${documents}/${document.id}`);
        await done(team.owner, 'POST', `${documents}/${document.id}/restore`);
      },
    })) {
      const made = await make();
      assert.equal(await shares(client, made.below.id), 201, what);
      await taking(made);
      assert.deepEqual([await shares(client, made.below.id), await shares(client, made.top.id)], [403, 403], what);
    }
  });

  test('and still after it alone has changed, binned and restored all of it', async () => {
    const top = await folderBy(client);
    const document = await documentBy(client, { folderId: top.id });
    await done(client, 'PUT', `${folders}/${top.id}`, { description: 'Mine' });
    await done(client, 'DELETE', `${documents}/${document.id}`);
    await done(client, 'POST', `${documents}/${document.id}/restore`);
    await done(client, 'DELETE', `${folders}/${top.id}?recursive=true`);
    await done(client, 'POST', `${folders}/${top.id}/restore`);
    assert.equal(await shares(client, top.id), 201);
  });

  test('nor content that another actor binned and restored with a folder', async () => {
    const open = await folderBy(team.owner);
    await share(team.owner, open.id, { userId: member.id }, 'read');
    for (const [binning, restoring] of [
      [team.owner, client],
      [client, team.owner],
    ] as const) {
      const top = await folderBy(client);
      const below = await folderBy(client, { parentId: top.id });
      const document = await documentBy(client, { folderId: below.id });
      await done(binning, 'DELETE', `${folders}/${top.id}?recursive=true`);
      await done(restoring, 'POST', `${folders}/${top.id}/restore`);
      assert.deepEqual([await shares(client, below.id), await moveDocument(client, document.id, open.id)], [403, 403]);
    }
  });

  test('also with concurrent shares and moves in, 50 times', async () => {
    await Promise.all(
      Array.from({ length: 25 }, async () => {
        const [top, theirs] = [await folderBy(client), await documentBy(team.owner)];
        const below = await folderBy(client, { parentId: top.id });
        const [shared, moved] = await Promise.all([shares(client, top.id), moveDocument(client, theirs.id, below.id)]);
        assert.deepEqual([shared, moved].toSorted(), [shared === 201 ? 201 : 200, 403], `${shared} ${moved}`);
        assert.equal(await status(member, 'GET', `${documents}/${theirs.id}`), 404);
      }),
    );
  });
});

describe('a writer moves nothing to where more users have access', () => {
  /** Two folders of the owner that the writer may write to; more users may access the second. */
  async function two(to: { userId: string } | { team: true }, access: 'read' | 'write') {
    const top = await folderBy(owner);
    await share(owner, top.id, { userId: writer.id }, 'write');
    const [from, target] = [await folderBy(owner, { parentId: top.id }), await folderBy(owner, { parentId: top.id })];
    await share(owner, target.id, to, access);
    const document = await documentBy(owner, { folderId: from.id });
    const folder = await folderBy(owner, { parentId: from.id });
    return { top, from, target, document, folder };
  }

  for (const [what, to] of [
    ['a person', () => ({ userId: member.id })],
    ['the team', () => ({ team: true as const })],
  ] as const)
    test(`a share with ${what} must exist at the source, to the same extent`, async () => {
      const { from, target, document, folder } = await two(to(), 'write');
      const both = async (expected: number) => {
        assert.equal(await moveDocument(writer, document.id, target.id), expected);
        assert.equal(await moveFolder(writer, folder.id, target.id), expected);
        assert.equal(await status(writer, 'PUT', `${folders}/${folder.id}`, { parentId: target.id }), expected);
      };
      await both(403);
      await share(owner, from.id, to(), 'read');
      await both(403);
      assert.equal(await status(member, 'PUT', `${documents}/${document.id}`, { title: 'Not by moving' }), 403);
      await share(owner, from.id, to(), 'write');
      await both(200);
    });

  test('a share with the team covers each person, and content that moves with a folder counts', async () => {
    const { from, target, document, folder } = await two({ userId: member.id }, 'read');
    await share(owner, folder.id, { userId: member.id }, 'read');
    assert.equal(await moveFolder(writer, folder.id, target.id), 200);
    await share(owner, from.id, { team: true }, 'read');
    assert.equal(await moveDocument(writer, document.id, target.id), 200);
  });

  test('the owner and administrators may', async () => {
    for (const by of [owner, admin]) {
      const { target, document, folder } = await two({ team: true }, 'write');
      assert.equal(await moveDocument(by, document.id, target.id), 200);
      assert.equal(await moveFolder(by, folder.id, target.id), 200);
    }
  });

  test('an API client may not either, except for its own content', async () => {
    const target = await folderBy(team.owner);
    await share(team.owner, target.id, { userId: member.id }, 'read');
    const [theirs, mine] = [await documentBy(team.owner), await documentBy(client)];
    const [folder, own] = [await folderBy(team.owner), await folderBy(client)];
    assert.equal(await moveDocument(client, theirs.id, target.id), 403);
    assert.equal(await moveFolder(client, folder.id, target.id), 403);
    const inOwn = await documentBy(team.owner, { folderId: own.id });
    assert.equal(await moveFolder(client, own.id, target.id), 403, 'it contains content of another actor');
    await done(team.owner, 'PATCH', `${documents}/${inOwn.id}/move`, { folderId: null });
    assert.equal(await moveDocument(client, mine.id, target.id), 200);
    assert.equal(await moveFolder(client, own.id, target.id), 200);
  });

  test('nor to where a confined API client gets access', async () => {
    const { top, from, target, document, folder } = await two({ userId: writer.id }, 'write');
    const confined = await chancery.client(team.owner, ['folders:read', 'folders:write', 'documents:read', 'documents:write']);
    const confine = (folderIds: string[]) => done(team.owner, 'PATCH', `/api/v1/security/clients/${confined.id}`, { folderIds });
    await confine([target.id]);
    assert.equal(await moveDocument(writer, document.id, target.id), 403);
    assert.equal(await moveFolder(writer, folder.id, target.id), 403);
    assert.equal(await status(confined, 'GET', `${documents}/${document.id}`), 404);
    await confine([top.id]);
    assert.equal(await moveDocument(writer, document.id, target.id), 200);
    assert.equal(await moveFolder(confined, folder.id, target.id), 200);
    assert.equal(await moveFolder(writer, folder.id, from.id), 200);
  });
});

describe('sharing with oneself is rejected', () => {
  test('for folders and documents, regardless of role and of the case of identifiers', async () => {
    const [folder, document] = [await folderBy(owner), await documentBy(owner)];
    for (const by of [owner, admin, team.owner])
      for (const userId of [by.id, by.id.toUpperCase()])
        for (const path of [`${folders}/${folder.id}/shares`, `${documents}/${document.id}/access`]) {
          const answer = await ask(by, 'POST', path, { userId, access: 'read' });
          assert.deepEqual([answer.status, answer.body.code], [409, 'self_share_not_allowed'], `${by.role} ${path}`);
        }
    for (const path of [`${folders}/${folder.id}/shares`, `${documents}/${document.id}/access`])
      assert.equal(
        await status(admin, 'POST', path, { userId: owner.id.toUpperCase(), access: 'read' }),
        404,
        'sharing with the owner is rejected',
      );
  });
});

test('access that an administrator gives by a task by role alone is recorded as such', async () => {
  const folder = await folderBy(owner);
  const { id } = await documentBy(owner, { folderId: folder.id });
  const given = async (by: Asker) => {
    const task = await done(by, 'POST', '/api/v1/tasks/', { title: 'Look at it', documentId: id, assignedTo: member.id });
    const { rows } = await chancery.pool.query(
      "SELECT data->>'via' AS via FROM audit_entry WHERE type = 'access.granted' AND data->>'taskId' = $1",
      [task.id],
    );
    return rows.map(({ via }) => via);
  };
  assert.deepEqual([await given(owner), await given(admin)], [[null], ['role']]);
  await share(owner, folder.id, { userId: admin.id }, 'read');
  assert.deepEqual(await given(admin), [null]);
});

test('identifiers are accepted in either case, and stored in lower case', async () => {
  const top = await folderBy(owner);
  const below = await folderBy(owner, { parentId: top.id.toUpperCase() });
  assert.equal(below.parentId, top.id);
  assert.equal(
    (await done(owner, 'PUT', `${folders}/${below.id}`, { parentId: top.id.toUpperCase(), metadata: { userId: 'ABC' } })).parentId,
    top.id,
  );
  const document = await documentBy(owner, { folderId: top.id.toUpperCase(), metadata: { folderId: top.id.toUpperCase() } });
  assert.deepEqual([document.folderId, document.metadata], [top.id, { folderId: top.id.toUpperCase() }]);
  const given = await done(owner, 'POST', `${documents}/${document.id.toUpperCase()}/access`, {
    userId: member.id.toUpperCase(),
    access: 'read',
  });
  const again = await done(owner, 'POST', `${documents}/${document.id}/access`, { userId: member.id.toUpperCase(), access: 'read' });
  assert.deepEqual([given.userId, again.id], [member.id, given.id]);
  assert.deepEqual((await done(owner, 'GET', `${documents}/?folderId=${top.id.toUpperCase()}`)).length, 1);
  await done(owner, 'POST', '/api/v1/tasks/', { title: 'T', documentId: document.id.toUpperCase() });
  await done(owner, 'POST', '/api/v1/workflows/', { name: 'W', documentId: document.id.toUpperCase(), steps: [{ id: 'a', type: 'task' }] });
  for (const id of [document.id, document.id.toUpperCase()]) {
    for (const list of [`tasks?documentId=${id}`, `workflows?documentId=${id}`, `workflows/document/${id}`])
      assert.equal((await done(owner, 'GET', `/api/v1/${list}`)).length, 1, list);
  }
  await done(owner, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [member.id.toUpperCase(), owner.id.toUpperCase()] });
  assert.deepEqual((await done(owner, 'GET', `${folders}/${top.id}/barrier`)).userIds.toSorted(), [member.id, owner.id].toSorted());
});

test('several documents are moved like single ones or not at all, and concurrent moves of the same documents do not deadlock', async () => {
  const [from, to, alone] = [await folderBy(owner), await folderBy(owner), await folderBy(owner)];
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1) ids.push((await documentBy(owner, { folderId: from.id })).id);
  const move = (by: Asker, documentIds: string[], folderId: string | null) =>
    ask(by, 'POST', `${documents}/move`, { documentIds, folderId });
  const lie = async (folder: string) => (await done(owner, 'GET', `${documents}/?folderId=${folder}`)).map(({ id }: { id: string }) => id);
  const turned = ids.toReversed();
  const moved = await move(owner, turned, to.id);
  assert.deepEqual([moved.status, moved.body.map(({ id }: { id: string }) => id)], [200, turned]);
  assert.deepEqual(await lie(to.id), ids);

  const theirs = await documentBy(writer);
  await done(team.owner, 'POST', '/api/v1/smartdoc/holds/', { folderId: to.id, reason: 'Litigation' });
  const [first = '', second = ''] = ids;
  const free = (await documentBy(owner, { folderId: from.id })).id;
  for (const [documentIds, code, at] of [
    [[free, theirs.id], 'not_found', 1],
    [[free, 'nothing'], 'not_found', 1],
    [[first, free], 'legal_hold_active', 0],
  ] as const) {
    const { body } = await move(owner, [...documentIds], alone.id);
    assert.deepEqual([body.code, body.errors?.[0]?.pointer], [code, `/documentIds/${at}`], code);
  }
  assert.deepEqual([await lie(from.id), await lie(alone.id)], [[free], []], 'none was moved');
  for (const wrong of [[], [first, first], Array.from({ length: 101 }, (_, n) => `${n}`)])
    assert.equal((await move(owner, wrong, null)).status, 400);

  // Moves within the held folder are allowed.
  const [left, right] = [await folderBy(owner, { parentId: to.id }), await folderBy(owner, { parentId: to.id })];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => move(owner, n % 2 === 0 ? ids : turned, n % 3 === 0 ? left.id : right.id)),
  );
  assert.deepEqual([...new Set(answers.map(({ status: answered }) => answered))], [200]);
  const places = [await lie(left.id), await lie(right.id)].filter((place) => place.length > 0);
  assert.deepEqual(places, [ids], 'all lie together');
  const { rows } = await chancery.pool.query(
    "SELECT count(*)::int AS n FROM audit_entry WHERE type = 'document.moved' AND target_id = $1",
    [second],
  );
  assert.equal(rows[0].n, 51, 'each has its own journal entry');
});
