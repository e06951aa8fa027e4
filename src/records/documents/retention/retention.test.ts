import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asking, file } from '../../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { isolationOf } from '../../../../test/isolation.ts';
import { mailsTo } from '../../../../test/people.ts';
import { askToSign, pdfDocument } from '../../../../test/signatures.ts';
import { listeners } from '../../../listeners.ts';
import { keepRules } from './index.ts';

const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
const dayMs = 86_400_000;
let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

const { call, made, folderBy } = asking(() => chancery);

/** A team with a member who owns few of many documents, so that a rule may delete some of them. */
async function world(others = 100): Promise<{ team: TestTeam; creator: User; admin: User }> {
  const team = await chancery.team();
  const [creator, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  await chancery.pool.query(
    `INSERT INTO document (team_id, id, user_id, title) SELECT $1, gen_random_uuid(), $2, 'Other' FROM generate_series(1, $3)`,
    [team.id, team.owner.id, others],
  );
  return { team, creator, admin };
}
const rule = (id: string) => `${folders}/${id}/retention`;
const put = (by: User, id: string, action: string, span: string, from = 'created', headers = {}) =>
  call(by, 'PUT', rule(id), { action, after: span, from }, headers);
/** A document created `days` ago. */
async function document(by: User, folderId: string, daysAgo: number): Promise<string> {
  const { id } = await made(by, 'POST', `${documents}/`, file({ folderId }));
  const ago = new Date(Date.now() - daysAgo * dayMs);
  await chancery.pool.query('UPDATE document SET created_at = $2, updated_at = $2 WHERE id = $1', [id, ago]);
  return id;
}
const deps = () => ({ database: chancery.database, listeners, isolation: isolationOf(chancery) });
const passOn = (day: number, most?: number) => keepRules(deps(), new Date(Date.now() + day * dayMs), most);
const gone = async (ids: readonly string[]): Promise<boolean[]> => {
  const { rows } = await chancery.pool.query('SELECT id FROM document WHERE id = ANY ($1) AND deleted_at IS NOT NULL', [ids]);
  return ids.map((id) => rows.some((row) => row.id === id));
};
const subjects = async (to: User) => (await mailsTo(chancery, to.email)).map(({ subject }) => subject).toReversed();

test('the rules of the folders that a person can read are listed, until they are removed', async () => {
  const { team, creator } = await world(0);
  const stranger = await chancery.user(team);
  const [kept, removed] = [await folderBy(creator, { name: 'Contracts' }), await folderBy(creator, { name: 'Offers' })];
  for (const { id } of [kept, removed]) await put(creator, id, 'review', 'P2Y');
  await call(creator, 'DELETE', rule(removed.id));
  const listed = async (by: User) => (await made(by, 'GET', '/api/v1/smartdoc/retention-rules/')).map(({ folderId }: any) => folderId);
  assert.deepEqual([await listed(creator), await listed(stranger)], [[kept.id], []]);
});

test('the owner of the folder sets a rule under its version; a rule that may delete earlier waits, and the owner gets a mail', async () => {
  const { creator, admin } = await world(0);
  const { id } = await folderBy(creator, { name: 'Contracts' });
  assert.equal((await call(creator, 'GET', rule(id))).status, 404);
  const set = await put(admin, id, 'delete', 'P10Y');
  assert.equal(set.status, 200, set.text);
  const days = (body: any) => Math.round((Date.parse(body.effectiveFrom) - Date.now()) / dayMs) || 0;
  assert.deepEqual(
    [set.body.action, set.body.after, set.body.from, set.body.setBy, days(set.body)],
    ['delete', 'P10Y', 'created', admin.id, 7],
  );
  const again = await put(creator, id, 'delete', 'P10Y', 'created', { 'if-match': set.headers.get('etag') ?? '' });
  assert.deepEqual(again.body, set.body, 'nothing has changed');
  await chancery.pool.query('UPDATE retention_rule SET effective_from = created_at WHERE folder_id = $1', [id]);
  assert.deepEqual([days((await put(creator, id, 'delete', 'P11Y')).body), days((await put(creator, id, 'delete', 'P132M')).body)], [0, 0]);
  assert.equal(days((await put(creator, id, 'delete', 'P9Y')).body), 7);
  assert.equal((await put(creator, id, 'delete', 'P9Y', 'updated', { 'if-match': set.headers.get('etag') ?? '' })).status, 412);
  const zero = await put(creator, id, 'delete', 'P0D');
  assert.deepEqual([zero.status, zero.body.code], [422, 'retention_rule_invalid']);
  for (const wrong of [
    { action: 'delete' },
    { action: 'burn', after: 'P1Y', from: 'created' },
    { action: 'keep', after: 'PT1H', from: 'created' },
  ])
    assert.equal((await call(creator, 'PUT', rule(id), wrong)).status, 400);
  await made(creator, 'DELETE', rule(id));
  assert.deepEqual([(await call(creator, 'GET', rule(id))).status, (await call(creator, 'DELETE', rule(id))).status], [404, 404]);
  assert.deepEqual(await subjects(creator), [
    'The retention rule of “Contracts” changed',
    'The retention rule of “Contracts” changed',
    'The retention rule of “Contracts” was removed',
  ]);
  const waits = await call(admin, 'POST', `${rule(id)}/confirm`);
  assert.deepEqual([waits.status, waits.body.code], [409, 'retention_not_pending']);
  await chancery.pool.query(
    `INSERT INTO folder (team_id, id, user_id, name, name_key) SELECT $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, n::text, n::text
     FROM generate_series(1, 200) n`,
    [creator.team, creator.id],
  );
  await chancery.pool.query(
    `INSERT INTO retention_rule (team_id, folder_id, action, after, counted_from, effective_from, set_by, created_at, updated_at)
     SELECT team_id, id, 'keep', 'P1Y', 'created', now(), user_id, now(), now() FROM folder WHERE team_id = $1 AND id <> $2`,
    [creator.team, id],
  );
  const tooMany = await put(creator, (await folderBy(creator)).id, 'keep', 'P1Y');
  assert.deepEqual([tooMany.status, tooMany.body.code], [409, 'retention_rule_limit']);
});

test('documents go to the bin after their period under the longest rule once it is active, and no others', async () => {
  const { creator, admin, team } = await world();
  const top = (await folderBy(creator)).id;
  const [kept, short, barred] = [
    (await folderBy(creator, { parentId: top })).id,
    (await folderBy(creator, { parentId: top })).id,
    (await folderBy(creator, { parentId: top })).id,
  ];
  await made(creator, 'PUT', `${folders}/${barred}/barrier`, { userIds: [] });
  const of = {
    old: await document(creator, top, 400),
    young: await document(creator, top, 200),
    kept: await document(creator, kept, 400),
    short: await document(creator, short, 200),
    behindBarrier: await document(creator, barred, 4_000),
    onHold: await document(creator, top, 400),
    reviewed: await document(creator, top, 400),
    elsewhere: await document(creator, (await folderBy(creator)).id, 4_000),
  };
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', { action: 'delete', after: 'P1D', from: 'created' }],
    ['DELETE', '', undefined],
    ['GET', '/preview', undefined],
    ['POST', '/confirm', undefined],
  ] as const)
    assert.equal((await call(admin, method, `${rule(barred)}${path}`, body)).status, 404, 'outside of a barrier');
  await chancery.pool.query("UPDATE document SET status = 'in_review' WHERE id = $1", [of.reviewed]);
  await made(admin, 'POST', '/api/v1/smartdoc/holds/', { documentId: of.onHold, reason: 'Litigation' });
  assert.equal((await put(creator, top, 'delete', 'P1Y')).status, 200);
  assert.equal((await put(creator, kept, 'keep', 'P10Y')).status, 200);
  assert.equal((await put(creator, short, 'delete', 'P30D')).status, 200);
  const ids = Object.values(of);
  const went = async () => Object.keys(of).filter((_, at) => gones[at]);
  let gones = await gone(ids);
  await passOn(6);
  gones = await gone(ids);
  assert.deepEqual(await went(), [], 'a new rule waits');
  const preview = await made(creator, 'GET', `${rule(top)}/preview`);
  const day = (fromNow: number) => new Date(Date.now() + fromNow * dayMs).toISOString().slice(0, 10);
  const fates = new Map<string, any>(preview.map((entry: any) => [entry.documentId, entry]));
  assert.deepEqual([fates.size, fates.get(of.behindBarrier), fates.get(of.elsewhere)], [6, undefined, undefined]);
  assert.deepEqual([fates.get(of.old).action, fates.get(of.old).on, fates.get(of.old).ruleFolderId], ['delete', day(7), top]);
  assert.deepEqual([fates.get(of.kept).action, fates.get(of.kept).ruleFolderId, fates.get(of.short).ruleFolderId], ['keep', kept, top]);
  const other = await made(creator, 'GET', `${rule(top)}/preview?action=review&after=P1D&from=updated&limit=500`);
  assert.equal(other.find(({ documentId }: any) => documentId === of.short).ruleFolderId, short, 'as if it had that rule');
  assert.equal((await call(creator, 'GET', `${rule(top)}/preview?action=review`)).status, 400);

  // Two nodes at once.
  await Promise.all([passOn(8), passOn(8)]);
  gones = await gone(ids);
  assert.deepEqual(await went(), ['old']);
  const entries = await made(admin, 'GET', `/api/v1/security/audit?targetId=${of.old}&type=document.deleted`);
  assert.deepEqual(
    entries.events.map(({ actor, data }: any) => [actor.type, data.retentionFolderId]),
    [['system', top]],
  );
  // Restored documents stay, and documents whose hold is lifted go.
  await made(creator, 'POST', `${documents}/${of.old}/restore`);
  const { id: hold } = (await made(admin, 'GET', `/api/v1/smartdoc/holds/?documentId=${of.onHold}`))[0];
  await made(admin, 'POST', `/api/v1/smartdoc/holds/${hold}/lift`, { reason: 'Settled' });
  await passOn(9);
  gones = await gone(ids);
  assert.deepEqual(await went(), ['onHold']);
  // A removed rule still protects its documents for a week, although the rule above is due.
  await made(creator, 'DELETE', rule(kept));
  await passOn(6);
  assert.deepEqual(await gone([of.kept]), [false]);
  await chancery.pool.query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [team.id]);
  await passOn(8);
  assert.deepEqual(await gone([of.kept]), [false], 'nothing happens for a suspended team');
  await chancery.pool.query("UPDATE team SET status = 'active' WHERE team_id = $1", [team.id]);
  await passOn(8);
  assert.deepEqual(await gone([of.kept]), [true]);
});

test('a review gives the owner one task, and rules that count from the expiry wait for it', async () => {
  const { creator } = await world();
  const [looked, ended] = [(await folderBy(creator)).id, (await folderBy(creator)).id];
  const [one, over, renewed, endless] = [
    await document(creator, looked, 400),
    await document(creator, ended, 400),
    await document(creator, ended, 400),
    await document(creator, ended, 400),
  ];
  await put(creator, looked, 'review', 'P1Y', 'updated');
  await put(creator, ended, 'delete', 'P1M', 'expires');
  await made(creator, 'PUT', `${documents}/${over}/dates`, { expiresAt: '2026-01-31' });
  await made(creator, 'PUT', `${documents}/${renewed}/dates`, { expiresAt: '2026-01-31', renewal: 'tacit', renewalPeriod: 'P1Y' });
  for (const day of [8, 8, 9, 30]) await passOn(day);
  assert.deepEqual(await gone([one, over, renewed, endless]), [false, true, false, false]);
  const tasks = async () =>
    (await made(creator, 'GET', `/api/v1/tasks/?documentId=${one}`)).map(({ title, assignedTo }: any) => [title, assignedTo]);
  assert.deepEqual(await tasks(), [['Review: Agreement', creator.id]]);
  // After a change it is due for review again when its period has ended again.
  await made(creator, 'PUT', `${documents}/${one}`, { title: 'Agreed anew' });
  await passOn(300);
  assert.equal((await tasks()).length, 1);
  await passOn(370);
  assert.equal((await tasks()).length, 2);
});

test('more than a tenth of a team’s documents go in one day only after an administrator’s confirmation', async () => {
  const { creator, admin, team } = await world(10);
  const { id } = await folderBy(creator);
  const ids = [await document(creator, id, 400), await document(creator, id, 400), await document(creator, id, 400)];
  const other = await chancery.user(team);
  await made(creator, 'POST', `${folders}/${id}/shares`, { userId: other.id, access: 'write' });
  for (const path of ['', '/preview'])
    assert.equal(
      (
        await call(
          other,
          path === '' ? 'PUT' : 'GET',
          `${rule(id)}${path}`,
          path === '' ? { action: 'keep', after: 'P1Y', from: 'created' } : undefined,
        )
      ).status,
      403,
    );
  await put(creator, id, 'delete', 'P1Y');
  for (const day of [8, 9]) await passOn(day);
  assert.deepEqual(await gone(ids), [false, false, false]);
  assert.equal((await made(creator, 'GET', rule(id))).waitingDocuments, 3);
  for (const by of [admin, team.owner])
    assert.deepEqual(await subjects(by), ['3 documents wait for a confirmation before they go to the bin'], 'told once');
  assert.equal((await call(creator, 'POST', `${rule(id)}/confirm`)).status, 403);
  const confirmed = await call(admin, 'POST', `${rule(id)}/confirm`);
  assert.deepEqual([confirmed.status, confirmed.body.confirmedBy, confirmed.body.waitingDocuments], [200, admin.id, undefined]);
  const later = await document(creator, id, 365 - 20);
  await passOn(9, 2);
  assert.deepEqual((await gone(ids)).filter(Boolean).length, 2, 'so much in one pass');
  await passOn(9, 2);
  assert.deepEqual(await gone([...ids, later]), [true, true, true, false]);
  // The confirmation does not cover later documents: of 12 the next one alone is less than a tenth.
  await passOn(21);
  assert.deepEqual(await gone([later]), [true]);
});

test('users that a barrier on the folder excludes get no mails about its rule', async () => {
  const { creator, admin, team } = await world(0);
  const { id } = await folderBy(creator);
  await document(creator, id, 400);
  await made(admin, 'PUT', `${folders}/${id}/barrier`, { userIds: [admin.id] });
  await put(admin, id, 'delete', 'P1Y');
  await passOn(8);
  await made(admin, 'DELETE', rule(id));
  assert.deepEqual(await Promise.all([creator, team.owner, admin].map(subjects)), [
    [],
    [],
    ['1 documents wait for a confirmation before they go to the bin'],
  ]);
});

test('a repeatedly failing document does not block others of the team, and is retried later', async () => {
  const { creator, team } = await world();
  const { id } = await folderBy(creator);
  const ids = [await document(creator, id, 400), await document(creator, id, 400), await document(creator, id, 400)];
  await put(creator, id, 'delete', 'P1Y');
  const setFailing = (which: string | undefined, until: string) =>
    chancery.pool.query(
      `INSERT INTO job_failure AS t (team_id, job, thing, failures, reason, next_at) VALUES ($1, 'document-retention-of-one', $2, 10, 'a fault', now() + $3::interval)
       ON CONFLICT (team_id, job, thing) DO UPDATE SET next_at = excluded.next_at`,
      [team.id, which, until],
    );
  for (const one of ids.slice(0, 2)) await setFailing(one, '1 day');
  // The maximum of one run.
  await passOn(8, 2);
  assert.deepEqual(await gone(ids), [false, false, true]);
  await setFailing(ids[0], '-1 minute');
  await passOn(8, 2);
  assert.deepEqual(await gone(ids), [true, false, true]);
  const { rows } = await chancery.pool.query('SELECT thing FROM job_failure WHERE team_id = $1', [team.id]);
  assert.deepEqual(rows, [{ thing: ids[1] }]);
});

test('documents that are moved, held or covered by a longer rule during a run stay', async () => {
  const { creator, admin } = await world(400);
  const { id } = await folderBy(creator);
  const away = (await folderBy(creator)).id;
  const ids = await Promise.all(Array.from({ length: 24 }, () => document(creator, id, 400)));
  await put(creator, id, 'delete', 'P1Y');
  await chancery.pool.query("UPDATE retention_rule SET effective_from = now() - interval '1 minute' WHERE folder_id = $1", [id]);
  const acts = ids.map((one, at) =>
    at % 2 === 0
      ? call(creator, 'PATCH', `${documents}/${one}/move`, { folderId: away })
      : call(admin, 'POST', '/api/v1/smartdoc/holds/', { documentId: one, reason: 'Litigation' }),
  );
  const [answers] = await Promise.all([Promise.all(acts), passOn(0), passOn(0)]);
  const binned = await gone(ids);
  for (const [at, { status, text }] of answers.entries()) {
    // A hold may be placed on documents already in the bin; moved documents stay.
    if (at % 2 === 0) assert.deepEqual([status, binned[at]], binned[at] ? [404, true] : [200, false], text);
    else assert.equal(status, 201, text);
  }
  await passOn(0);
  assert.deepEqual(await gone(ids), binned, 'and nothing more');
});

test('documents with open signature requests stay until these have ended', async () => {
  const { creator } = await world();
  const { id: folder } = await folderBy(creator);
  assert.equal((await put(creator, folder, 'delete', 'P1Y')).status, 200);
  const { id } = await pdfDocument(chancery, creator, { folderId: folder });
  await chancery.pool.query("UPDATE document SET created_at = now() - interval '2 years' WHERE id = $1", [id]);
  const request = await askToSign(chancery, creator, { documentId: id });
  await passOn(8);
  assert.deepEqual(await gone([id]), [false]);
  await made(creator, 'POST', `/api/v1/signatures/${request.id}/void`, { reason: 'Not any more' });
  await passOn(9);
  assert.deepEqual(await gone([id]), [true]);
});

test('the retention period of a closed matter prevents the deletion of its documents, also after it is reopened', async () => {
  const { creator } = await world();
  const matter = await made(creator, 'POST', '/api/v1/matters/', { name: 'Closed' });
  const { id } = await folderBy(creator, { name: 'Pleadings', matterId: matter.id });
  const old = await document(creator, id, 4_000);
  assert.equal((await put(creator, id, 'delete', 'P1Y')).status, 200);
  await made(creator, 'POST', `/api/v1/matters/${matter.id}/close`, { retainUntil: '2999-12-31' });
  await passOn(8);
  assert.deepEqual(await gone([old]), [false]);
  await made(creator, 'POST', `/api/v1/matters/${matter.id}/reopen`);
  await passOn(8);
  assert.deepEqual(await gone([old]), [false]);
});
