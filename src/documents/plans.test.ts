import assert from 'node:assert/strict';
import { type ChangeSort, changeSorts, firstPlace } from '../platform/database/sorted-page.ts';
import { after, before, describe, test } from 'node:test';
import { type Chancery, startChancery, type User } from '../../test/harness.ts';
import { listFolders, reachFolder } from '../folders/queries.ts';
import { insideOf, opensAt, sharesReaching } from '../folders/share-queries.ts';
import { extentOf, madeWholly, pathOf } from '../folders/tree-queries.ts';
import type { Statement } from '../platform/database/statement.ts';
import { largestId } from '../platform/identifiers.ts';
import { beginning, listDocuments, type Sort, sorts } from './list-queries.ts';
import { reachDocument } from './queries.ts';
import { newestHits, rankedHits, soughtDocuments } from './search/queries.ts';

/**
 * How much the database looks at, in pages of its tables, which does not depend on what else the machine does: on tables
 * that were never analysed, as on a new installation, against the same after ANALYZE; and for who can see nothing of it.
 */
const many = 5_000;
const tables = [
  'folder',
  'document',
  'document_text',
  'document_passage',
  'folder_share',
  'document_grant',
  'document_version',
  'folder_wall',
  'folder_wall_member',
];
let chancery: Chancery;
let owner: User;
let guest: User;
let hidden: string;
let deepest: string;
let document: string;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  for (const table of tables) await chancery.pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  ({ owner } = await chancery.team());
  guest = await chancery.user(owner.team);
  hidden = (await chancery.user(owner.team)).id;
  [deepest, document] = await fill(owner.team, hidden);
  await fill(owner.team, owner.id);
  const { rows } = await chancery.pool.query("SELECT id FROM folder WHERE user_id = $1 AND parent_id IS NULL AND name <> 'f1' LIMIT 20", [
    owner.id,
  ]);
  for (const { id } of rows)
    await chancery.call('POST', `/api/v1/smartdoc/folders/${id}/shares`, {
      token: owner.token,
      body: { userId: guest.id, access: 'read' },
    });
  await chancery.document(guest);
});
after(() => chancery.stop());

/** A chain of 64 folders, in which lie so many documents, most of them in one, and so many folders beside it. Returns its end and a document. */
async function fill(team: string, user: string): Promise<[string, string]> {
  const id = (what: string) => `md5($2 || ${what})::uuid`;
  await chancery.pool.query(
    `INSERT INTO folder (team_id, id, parent_id, user_id, name, name_key)
     SELECT $1, ${id("'f' || n")}, CASE WHEN n BETWEEN 2 AND 64 THEN ${id("'f' || n - 1")} END, $2::text::uuid, 'f' || n, 'f' || n
     FROM generate_series(1, $3::int) n`,
    [team, user, many],
  );
  const { rows } = await chancery.pool.query(
    `INSERT INTO document (team_id, id, folder_id, user_id, title)
     SELECT $1, ${id("'d' || n")}, ${id("'f' || CASE WHEN n % 5 > 0 THEN 40 ELSE n % 64 + 1 END")}, $2::text::uuid, 'd' || n FROM generate_series(1, $3::int) n RETURNING id`,
    [team, user, many],
  );
  await chancery.pool.query(
    `INSERT INTO document_text (team_id, document_id, version, title, body)
     SELECT $1, d.id, 0, array_to_tsvector(ARRAY[word_of_team($1)]) || to_tsvector('simple', d.title),
       to_tsvector('simple', 'common ' || CASE WHEN right(d.title, 2) = '77' THEN 'rare ' ELSE '' END || repeat(md5(d.title) || ' ', 3))
     FROM document d WHERE d.team_id = $1 AND d.user_id = $2`,
    [team, user],
  );
  const end = await chancery.pool.query("SELECT md5($1 || 'f64')::uuid AS id", [user]);
  return [end.rows[0].id, rows[0].id];
}

/** Pages that a statement looks at, as a request would run it. */
async function pages<Params extends object>(statement: Statement<Params, unknown>, params: Params): Promise<number> {
  const client = await chancery.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('role', 'chancery_app', true), set_config('app.team_id', $1, true)", [owner.team]);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`, statement.values(params));
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const view = (user: string | null) => ({ team: owner.team, user, roots: null });
const filters = { status: null, q: null, labels: null, since: null, holds: true };
type Case = [string, () => Promise<number>];

const folderList = (which: keyof typeof listFolders, user: () => string | null, limit: number, sort: ChangeSort = 'createdAt'): Case => [
  `folders, ${which} by ${sort}, ${limit}, ${user === them ? 'a guest' : 'an owner'}`,
  () => pages(listFolders[which][sort], { ...view(user()), roots: [deepest], since: null, ...firstPlace(sort), limit }),
];
const documentList = (which: keyof typeof listDocuments, sort: Sort, user: () => string | null, limit: number): Case => [
  `documents, ${which} by ${sort}, ${limit}`,
  () => pages(listDocuments[which][sort], { ...view(user()), roots: [deepest], folder: deepest, ...filters, ...beginning[sort], limit }),
];

const words = (q: string) => ({ labels: null, q, configuration: 'simple', wanted: `'${q}'`, shown: `'${q}'` });
const look = (q: string): Case => [`what may be ${q}`, () => pages(soughtDocuments, { team: owner.team, q, most: 1_001 })];
const ranked = (which: keyof typeof rankedHits, user: () => string | null, q: string): Case => [
  `hits of ${q}, ${which}, ${user === them ? 'a guest' : 'an owner'}`,
  async () => {
    const { rows } = await chancery.pool.query(
      "SELECT document_id AS id FROM document_text WHERE team_id = $1 AND body @@ plainto_tsquery('simple', $2) LIMIT 1000",
      [owner.team, q],
    );
    const at = { ids: rows.map(({ id }) => id), afterRank: 9, after: largestId, limit: 20 };
    return pages(rankedHits[which], { ...view(user()), roots: [deepest], ...words(q), ...at });
  },
];
const newest = (which: keyof typeof newestHits, user: () => string | null): Case => [
  `newest hits, ${which}, ${user === them ? 'a guest' : 'an owner'}`,
  () => pages(newestHits[which], { ...view(user()), roots: [deepest], ...words('common'), after: largestId, limit: 20 }),
];

const me = () => owner.id;
const them = () => guest.id;
const nobody = () => null;
const reads: Case[] = [
  ...[100, 10_000].flatMap((limit) => [
    folderList('person', me, limit),
    folderList('person', them, limit),
    folderList('manager', me, limit),
    folderList('client', nobody, limit),
    folderList('confined', nobody, limit),
  ]),
  ...changeSorts.flatMap((sort) => [
    folderList('person', me, 100, sort),
    folderList('person', them, 100, sort),
    folderList('manager', me, 100, sort),
    folderList('confined', nobody, 100, sort),
  ]),
  ...sorts.flatMap((sort) =>
    (['person', 'manager', 'client', 'confined', 'folder', 'given', 'bin', 'team bin'] as const).map((which) =>
      documentList(which, sort, which === 'client' || which === 'confined' ? nobody : me, 100),
    ),
  ),
  look('common'),
  look('rare'),
  ...(['person', 'manager', 'client', 'confined'] as const).flatMap((which) => {
    const user = which === 'client' || which === 'confined' ? nobody : me;
    return [ranked(which, user, 'rare'), newest(which, user)];
  }),
  ['a folder', () => pages(reachFolder, { ...view(guest.id), id: deepest })],
  ['a document', () => pages(reachDocument, { ...view(guest.id), id: document })],
  ['shares', () => pages(sharesReaching, { team: owner.team, id: deepest })],
  ['who is inside', () => pages(insideOf, { team: owner.team, id: deepest, users: [guest.id, owner.id], when: 'now' })],
  ['what a move opens', () => pages(opensAt, { team: owner.team, from: deepest, to: deepest })],
  ['what a client made', () => pages(madeWholly, { team: owner.team, id: deepest, client: owner.id })],
  ['depth', () => pages(pathOf, { team: owner.team, id: deepest, moved: null })],
  ['height', () => pages(extentOf, { team: owner.team, id: deepest, user: guest.id })],
];

describe('statements that read', { concurrency: false }, () => {
  test('of folders and documents look at no more, beside 5 000 that their caller cannot see, than a page of what they see', async () => {
    for (const [name, measure] of [
      folderList('person', them, 100),
      ...sorts.map((sort) => documentList('person', sort, them, 100)),
      ...sorts.map((sort) => documentList('given', sort, them, 100)),
    ])
      assert.ok((await measure()) < 400, `${name}: ${await measure()} pages`);
    // Of what has a word it looks, at most, at as many as it puts in order.
    for (const [name, measure] of [look('rare'), ranked('person', them, 'rare'), newest('person', them)])
      assert.ok((await measure()) < 1_500, `${name}: ${await measure()} pages`);
    for (const [name, measure] of [look('common'), ranked('person', them, 'common')])
      assert.ok((await measure()) < 8_000, `${name}: ${await measure()} pages`);
    // The end of the owner's chain is shared with the guest; nothing of the third person's is.
    const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM folder_share WHERE user_id = $1', [guest.id]);
    assert.equal(rows[0].n, 20);
  });

  test('never need what ANALYZE finds out, nor are led astray by it: with and without it each looks at much the same', async () => {
    const unanalysed = new Map<string, number>();
    for (const [name, measure] of reads) unanalysed.set(name, await measure());
    await chancery.pool.query(`ANALYZE ${tables.join(', ')}`);
    const worse: string[] = [];
    for (const [name, measure] of reads) {
      const [fresh, analysed] = [unanalysed.get(name) ?? 0, await measure()];
      if (fresh > 5 * analysed + 50 || analysed > 5 * fresh + 50) worse.push(`${name}: ${fresh} pages, ${analysed} after ANALYZE`);
    }
    assert.deepEqual(worse, []);
  });
});
