import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endDocumentOf } from '#documents';
import { asking, file } from '../../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { registered } from '../../../../test/people.ts';
import { isolationOf } from '../../../../test/isolation.ts';
import { purgeFolders } from '../../folders/jobs.ts';
import { purgeDocuments } from '../jobs.ts';

const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
const holds = '/api/v1/smartdoc/holds';
let chancery: Chancery;
let team: TestTeam;
let admin: User;
let member: User;
before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  [admin, member] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team)];
});
after(() => chancery.stop());

const { call, made } = asking(() => chancery);
const place = (on: object, reason = 'Litigation with Acme') => made(admin, 'POST', `${holds}/`, { ...on, reason });
const lift = (hold: { id: string }) => made(admin, 'POST', `${holds}/${hold.id}/lift`, { reason: 'Settled' });
const document = async (folderId?: string): Promise<string> =>
  (await made(member, 'POST', `${documents}/`, file(folderId === undefined ? {} : { folderId }))).id;
const folder = async (parentId?: string): Promise<string> => (await chancery.folder(member, parentId === undefined ? {} : { parentId })).id;
async function refused(by: User, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await call(by, method, path, body);
  assert.deepEqual([answer.status, answer.body?.code], [409, 'legal_hold_active'], `${method} ${path}: ${answer.text}`);
}
const binned = async (ids: readonly string[]): Promise<string[]> => {
  const { rows } = await chancery.pool.query('SELECT id FROM document WHERE id = ANY ($1) AND deleted_at IS NOT NULL ORDER BY id', [ids]);
  return rows.map(({ id }) => id);
};

test('while a hold is active, nothing in the folder is deleted or moved out, including later content; two holds are lifted separately', async () => {
  const top = await folder();
  const matter = await folder(top);
  const below = await folder(matter);
  const [early, inside] = [await document(matter), await document(below)];
  const [first, second] = [await place({ folderId: matter }), await place({ folderId: top }, 'An audit')];
  const late = await document(below);
  for (const by of [member, admin, team.owner]) for (const id of [early, inside, late]) await refused(by, 'DELETE', `${documents}/${id}`);
  for (const id of [below, matter, top]) await refused(member, 'DELETE', `${folders}/${id}?recursive=true`);
  await refused(member, 'PATCH', `${documents}/${early}/move`, { folderId: null });
  await refused(member, 'PATCH', `${folders}/${below}/move`, { parentId: top });
  await refused(member, 'PUT', `${folders}/${below}`, { parentId: null });
  await made(member, 'PATCH', `${documents}/${early}/move`, { folderId: below });
  await made(member, 'POST', `${documents}/${early}/versions`, file());
  // Resources about it stay too, and the submission that it was created from is not erased.
  const flow = await made(member, 'POST', '/api/v1/workflows/', {
    name: 'About it',
    documentId: early,
    steps: [{ id: 'a', type: 'task', assignedTo: member.id }],
  });
  await refused(member, 'DELETE', `/api/v1/workflows/${flow.id}`);
  const erase = chancery.database.inTeam(team.id, (db) =>
    endDocumentOf({ db, team: team.id, actor: { type: 'system' }, now: new Date(), requestId: 'erase', listeners: [] }, early),
  );
  await assert.rejects(erase, (error: { code?: string }) => error.code === 'legal_hold_active');

  assert.equal((await lift(first)).status, 'lifted');
  await refused(member, 'DELETE', `${documents}/${early}`);
  await lift(second);
  const again = await call(admin, 'POST', `${holds}/${second.id}/lift`, { reason: 'Settled' });
  assert.deepEqual([again.status, again.body.code], [409, 'hold_lifted']);
  await made(member, 'DELETE', `/api/v1/workflows/${flow.id}`);
  await made(member, 'DELETE', `${folders}/${top}?recursive=true`);
  assert.equal((await binned([early, inside, late])).length, 3);

  const list = await made(admin, 'GET', `${holds}/?status=lifted&folderId=${top}`);
  const { liftedAt, ...shown } = list[0];
  assert.ok(liftedAt);
  const said = { folderId: top, reason: 'An audit', createdBy: admin.id, createdByType: 'user', createdAt: second.createdAt };
  assert.deepEqual([list.length, shown], [1, { id: second.id, status: 'lifted', ...said, liftedBy: admin.id, liftReason: 'Settled' }]);
  const { body } = await call(admin, 'GET', `/api/v1/security/audit?targetId=${second.id}`);
  assert.deepEqual(body.events.map(({ type, actor, data }: any) => [type, actor.id, data.reason]).toSorted(), [
    ['legal_hold.lifted', admin.id, 'Settled'],
    ['legal_hold.placed', admin.id, 'An audit'],
  ]);
  for (const wrong of [{}, { folderId: top, documentId: early }])
    assert.equal((await call(admin, 'POST', `${holds}/`, { ...wrong, reason: 'Neither or both' })).status, 400);
});

test('a held document stays in the bin beyond 30 days, is not restored out of the hold, and is deleted after the hold is lifted', async () => {
  const [matter, alone] = [await folder(), await document()];
  const within = await document(matter);
  await made(member, 'DELETE', `${documents}/${alone}`);
  await made(member, 'DELETE', `${documents}/${within}`);
  const sub = await folder(matter);
  await made(member, 'DELETE', `${folders}/${sub}`);
  await made(member, 'DELETE', `${folders}/${matter}`);
  const placed = [await place({ documentId: alone }), await place({ folderId: matter })];
  const { database } = chancery;
  const storage = { remove: async () => undefined } as never;
  const purge = async () => {
    const [isolation, now] = [isolationOf(chancery), new Date(Date.now() + 31 * 86_400_000)];
    await purgeDocuments({ database, storage, isolation }, now);
    await purgeFolders({ database, isolation }, now);
    const { rows } = await chancery.pool.query(
      'SELECT id FROM document WHERE id = ANY ($1) UNION ALL SELECT id FROM folder WHERE id = ANY ($1)',
      [[alone, within, matter, sub]],
    );
    return rows.length;
  };
  assert.equal(await purge(), 4);
  await refused(member, 'POST', `${documents}/${within}/restore`);
  await refused(member, 'POST', `${folders}/${sub}/restore`);
  for (const hold of placed) await lift(hold);
  assert.equal(await purge(), 0);
});

test('of concurrent deletions, none succeeds after the hold is placed', async () => {
  for (const kind of ['folder', 'document'] as const) {
    const matter = await folder();
    const ids: string[] = [];
    for (let n = 0; n < 25; n += 1) ids.push(await document(matter));
    const others: string[] = [];
    for (let n = 0; n < 25; n += 1) others.push(await folder(matter));
    const last = ids[12] ?? '';
    let stood: string[] | undefined;
    const deleting = [
      ...ids.map((id) => call(member, 'DELETE', `${documents}/${id}`)),
      ...others.map((id) => call(member, 'DELETE', `${folders}/${id}`)),
      ...(kind === 'document' ? [call(member, 'DELETE', `${folders}/${matter}?recursive=true`)] : []),
    ];
    const placing = call(admin, 'POST', `${holds}/`, {
      ...(kind === 'folder' ? { folderId: matter } : { documentId: last }),
      reason: 'At once',
    });
    const watched = placing.then(async ({ status }) => {
      assert.equal(status, 201);
      stood = await binned(kind === 'folder' ? ids : [last]);
    });
    const answers = await Promise.all(deleting);
    await watched;
    assert.deepEqual(await binned(kind === 'folder' ? ids : [last]), stood);
    for (const { status, text } of answers) assert.ok([200, 204, 404, 409, 412].includes(status), text);
  }
});

test('of concurrent purges, no held document is deleted', async () => {
  const purging = Promise.withResolvers<void>();
  const ids: string[] = [];
  for (let n = 0; n < 50; n += 1) ids.push(await document());
  for (const id of ids) await made(member, 'DELETE', `${documents}/${id}`);
  const storage = { remove: async () => undefined } as never;
  const isolation = isolationOf(chancery);
  const purge = () => purgeDocuments({ database: chancery.database, storage, isolation }, new Date(Date.now() + 31 * 86_400_000));
  const placing = ids.map(async (documentId, n) => {
    if (n === 25) purging.resolve(purge());
    return call(admin, 'POST', `${holds}/`, { documentId, reason: 'At once' });
  });
  const answers = await Promise.all(placing);
  await purging.promise;
  await purge();
  const { rows } = await chancery.pool.query('SELECT id FROM document WHERE id = ANY ($1)', [ids]);
  const left = new Set(rows.map(({ id }) => id));
  for (const [n, { status, text }] of answers.entries()) {
    assert.ok(status === 201 || status === 404, text);
    assert.equal(left.has(ids[n]), status === 201, 'held documents exist, and deleted ones have no hold');
  }
});

test('a team with active holds is not closed with the account of its only member', async () => {
  const person = await registered(chancery);
  const ask = (method: string, path: string, body?: object) =>
    chancery.call(method, path, { token: person.token, ...(body ? { body } : {}) });
  const { id: folderId } = (await ask('POST', `${folders}/`, { name: 'Matter' })).body;
  const hold = (await ask('POST', `${holds}/`, { folderId, reason: 'Litigation' })).body;
  const kept = await ask('DELETE', '/api/v1/security/auth/profile');
  assert.deepEqual([kept.status, kept.body.code], [409, 'team_legal_hold_active']);
  assert.equal((await ask('POST', `${holds}/${hold.id}/lift`, { reason: 'Settled' })).status, 200);
  assert.equal((await ask('DELETE', '/api/v1/security/auth/profile')).status, 200);
});

test('documents show their hold to owner and administrators only, singly and in lists', async () => {
  const [matter, open] = [await folder(), await folder()];
  const below = await folder(matter);
  const [under, alone, free] = [await document(below), await document(open), await document(open)];
  const placed = [await place({ folderId: matter }), await place({ documentId: alone })];
  const listed = async (by: User, query: string) =>
    (await made(by, 'GET', `${documents}/${query}`))
      .filter(({ legalHold }: { legalHold?: boolean }) => legalHold)
      .map(({ id }: { id: string }) => id);
  const shown = async (by: User) =>
    Promise.all([under, alone, free].map(async (id) => (await made(by, 'GET', `${documents}/${id}`)).legalHold));
  const lists = (by: User) => Promise.all([listed(by, ''), listed(by, `?folderId=${below}`), listed(by, `?folderId=${open}&sort=-title`)]);
  for (const by of [admin, team.owner]) {
    const [all, ...each] = await lists(by);
    assert.deepEqual(
      [all?.filter((id: string) => [under, alone, free].includes(id)), each],
      [
        [under, alone],
        [[under], [alone]],
      ],
    );
    assert.deepEqual(await shown(by), [true, true, undefined]);
  }
  assert.deepEqual(
    [await lists(member), await shown(member)],
    [
      [[], [], []],
      [undefined, undefined, undefined],
    ],
  );
  // The document may be sent back as it was read.
  const read = await made(admin, 'GET', `${documents}/${alone}`);
  assert.equal((await made(admin, 'PUT', `${documents}/${alone}`, read)).legalHold, true);
  for (const hold of placed) await lift(hold);
  assert.deepEqual(
    [(await lists(admin)).slice(1), await shown(admin)],
    [
      [[], []],
      [undefined, undefined, undefined],
    ],
  );
});

test('a team does not close while a hold is placed in it', async () => {
  const profile = '/api/v1/security/auth/profile';
  for (let round = 0; round < 5; round += 1) {
    const { id, owner } = await chancery.team();
    const target = await chancery.folder(owner);
    const placing = Array.from({ length: 9 }, () => call(owner, 'POST', `${holds}/`, { folderId: target.id, reason: 'At once' }));
    const [closing, ...placed] = await Promise.all([call(owner, 'DELETE', profile), ...placing]);
    const { rows } = await chancery.pool.query(
      `SELECT t.status, (SELECT count(*)::int FROM legal_hold h WHERE h.team_id = t.team_id) AS holds FROM team t WHERE t.team_id = $1`,
      [id],
    );
    const stood = placed.filter(({ status }) => status === 201).length;
    assert.deepEqual(rows[0], { status: closing.status === 200 ? 'closed' : 'active', holds: stood });
    assert.ok(closing.status === 200 ? stood === 0 : closing.body.code === 'team_legal_hold_active', `${closing.text}, ${stood} placed`);
  }
});

test('a team has at most 1 000 active holds', async () => {
  const { owner } = await chancery.team();
  const matter = await chancery.folder(owner);
  await chancery.pool.query(
    `INSERT INTO legal_hold (team_id, id, folder_id, reason, created_by, created_at)
     SELECT $1, gen_random_uuid(), $2, 'Many', $3, now() FROM generate_series(1, 1000)`,
    [owner.team, matter.id, owner.id],
  );
  const full = await call(owner, 'POST', `${holds}/`, { folderId: matter.id, reason: 'One more' });
  assert.deepEqual([full.status, full.body.code], [409, 'hold_limit']);
  const [one] = await made(owner, 'GET', `${holds}/?limit=1&folderId=${matter.id}`);
  await made(owner, 'POST', `${holds}/${one.id}/lift`, { reason: 'One less' });
  await made(owner, 'POST', `${holds}/`, { folderId: matter.id, reason: 'One more' });
});
