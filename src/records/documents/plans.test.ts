import assert from 'node:assert/strict';
import { type ChangeSort, changeSorts, firstPlace } from '../../platform/database/sorted-page.ts';
import { after, before, describe, test } from 'node:test';
import { type Chancery, startChancery, type User } from '../../../test/harness.ts';
import { listFolders, reachFolder } from '../folders/queries.ts';
import { insideOf } from '../../access/barrier-queries.ts';
import { sharesReaching } from '../../access/queries.ts';
import { extentOf, isCreatedByClient, opensAt, pathOf } from '../folders/tree-queries.ts';
import type { Statement } from '../../platform/database/statement.ts';
import { largestId } from '../../platform/identifiers.ts';
import { countLabels } from './label-queries.ts';
import { beginning, listDocuments } from './list-queries.ts';
import { eachExactFilter, type Sort, sorts } from './schemas.ts';
import { reachDocument } from './queries.ts';
import { searchedDocuments } from './search/queries.ts';

/**
 * Measures the pages that the database reads for a statement, which do not depend on the load of the machine. First the tables have no statistics,
 * as in the first minute of an import. Then they are analyzed, as autovacuum does.
 */
const many = 5_000;
const tables = [
  'folder',
  'document',
  'document_text',
  'document_passage',
  'access_grant',
  'document_version',
  'access_container',
  'access_path',
  'access_barrier',
  'access_barrier_member',
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

/** A chain of 64 folders with `documents`, most of them in one, and with many folders beside it. Returns its end and a document. */
async function fill(team: string, user: string): Promise<[string, string]> {
  const id = (what: string) => `md5($2 || ${what})::uuid`;
  await chancery.pool.query(
    `INSERT INTO folder (team_id, id, parent_id, user_id, name, name_key)
     SELECT $1, ${id("'f' || n")}, CASE WHEN n BETWEEN 2 AND 64 THEN ${id("'f' || n - 1")} END, $2::text::uuid, 'f' || n, 'f' || n
     FROM generate_series(1, $3::int) n`,
    [team, user, many],
  );
  const { rows } = await chancery.pool.query(
    `INSERT INTO document (team_id, id, folder_id, user_id, title, labels, label_keys)
     SELECT $1, ${id("'d' || n")}, ${id("'f' || CASE WHEN n % 5 > 0 THEN 40 ELSE n % 64 + 1 END")}, $2::text::uuid, 'd' || n,
       ARRAY['L' || n % 30], ARRAY['l' || n % 30] FROM generate_series(1, $3::int) n RETURNING id`,
    [team, user, many],
  );
  await chancery.pool.query(
    `INSERT INTO document_text (team_id, document_id, version, title, words)
     SELECT $1, d.id, 0, d.title, array_to_tsvector(words_of_team($1, d.id)) || setweight(to_tsvector('simple', d.title), 'A')
       || to_tsvector('simple', 'common ' || CASE WHEN right(d.title, 1) = '7' THEN 'usual ' ELSE '' END || CASE WHEN right(d.title, 2) = '77' THEN 'rare ' ELSE '' END || repeat(md5(d.title) || ' ', 3))
     FROM document d WHERE d.team_id = $1 AND d.user_id = $2`,
    [team, user],
  );
  const end = await chancery.pool.query("SELECT md5($1 || 'f64')::uuid AS id", [user]);
  return [end.rows[0].id, rows[0].id];
}

/** A value as a literal in a statement; lists have only identifiers and numbers here. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return `'${(value instanceof Date ? value.toISOString() : String(value as string | number | boolean)).replaceAll("'", "''")}'`;
}

/** Whether the plan is for these values or generic, as a connection caches it after some runs. */
type Plan = 'of the values' | 'kept';

/** Pages that a statement reads, run like a request. */
async function pages<Params extends object>(statement: Statement<Params, unknown>, params: Params, plan: Plan = 'kept'): Promise<number> {
  const client = await chancery.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('role', 'chancery_app', true), set_config('app.team_id', $1, true)", [owner.team]);
    const explain = 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)';
    const values = statement.values(params);
    if (plan === 'kept') {
      await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
      await client.query('DEALLOCATE ALL');
      await client.query(`PREPARE kept AS ${statement.text}`);
    }
    const { rows } = await (plan === 'kept'
      ? client.query(`${explain} EXECUTE kept(${values.map(literal).join(', ')})`)
      : client.query(`${explain} ${statement.text}`, values));
    const [{ Plan: root }] = rows[0]['QUERY PLAN'];
    return root['Shared Hit Blocks'] + root['Shared Read Blocks'];
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const view = (user: string | null) => ({ team: owner.team, user, roots: null });
/** The callers: a member, an administrator and API clients, one of them confined. */
const callers = { person: 'granted', manager: 'all', client: 'all', confined: 'granted' } as const;
type Caller = keyof typeof callers;
const statementOf = (which: string) => (which in callers ? callers[which as Caller] : which) as never;
const viewOf = (which: string, user: string | null) => ({ ...view(user), roots: which === 'confined' ? [deepest] : null });
const filters = { matter: null, ...eachExactFilter(() => null), q: null, ids: null, labels: null, since: null, holds: true };
type Case = [string, () => Promise<number>];

const folderList = (which: Caller, user: () => string | null, limit: number, sort: ChangeSort = 'createdAt'): Case => [
  `folders, ${which} by ${sort}, ${limit}, ${user === them ? 'a guest' : 'an owner'}`,
  () => pages(listFolders.none[callers[which]][sort], { ...viewOf(which, user()), ids: null, since: null, ...firstPlace(sort), limit }),
];
const documentList = (which: Caller | keyof typeof listDocuments, sort: Sort, user: () => string | null, limit: number): Case => [
  `documents, ${which} by ${sort}, ${limit}`,
  () =>
    pages(listDocuments[statementOf(which) as keyof typeof listDocuments][sort], {
      ...viewOf(which, user()),
      folder: deepest,
      ...filters,
      ...beginning[sort],
      limit,
    }),
];

/** A search for a word that all documents have (a walk), 1 000 of them (the newest first), or 100 (ranked). */
const search = (q: 'common' | 'usual' | 'rare', which: Caller, user: () => string | null, plan?: Plan): Case => [
  `search for ${q}, ${which}, ${user === them ? 'a guest' : 'an owner'}`,
  () =>
    pages(
      searchedDocuments[callers[which]],
      { ...viewOf(which, user()), q, labels: [], most: 1_500, ranked: 500, afterRank: 9, after: largestId, limit: 20 },
      plan,
    ),
];

const labels = (which: Caller, user: () => string | null): Case => [
  `labels, ${which}, ${user === them ? 'a guest' : 'an owner'}`,
  () => pages(countLabels[callers[which]], viewOf(which, user())),
];

const me = () => owner.id;
const them = () => guest.id;
const noUser = () => null;
const ownerOf = (which: string) => (which === 'client' || which === 'confined' ? noUser : me);
const views = ['person', 'manager', 'client', 'confined'] as const;
const narrow = ['confined', 'folder', 'given', 'bin', 'team bin'] as const;
const inIdOrder = ['createdAt', '-createdAt'] as const;

/** Statements by their maximum pages. A list in an order without an index reads everything that its caller sees. */
const reads: [number, Case[]][] = [
  [
    700,
    [
      ...changeSorts.flatMap((sort) => [
        folderList('person', them, 100, sort),
        folderList('manager', me, 100, sort),
        folderList('confined', noUser, 100, sort),
      ]),
      ...inIdOrder.flatMap((sort) => [
        folderList('person', me, 100, sort),
        ...views.map((which) => documentList(which, sort, ownerOf(which), 100)),
      ]),
      ...sorts.flatMap((sort) => narrow.map((which) => documentList(which, sort, ownerOf(which), 100))),
      labels('person', them),
      ['a folder', () => pages(reachFolder.folder, { ...view(guest.id), id: deepest })],
      ['a document', () => pages(reachDocument, { ...view(guest.id), id: document })],
      ['shares', () => pages(sharesReaching, { team: owner.team, container: deepest })],
      ['who is inside', () => pages(insideOf, { team: owner.team, container: deepest, users: [guest.id, owner.id], when: 'now' })],
      ['what a move opens', () => pages(opensAt, { team: owner.team, from: deepest, to: deepest })],
      ['what a client made', () => pages(isCreatedByClient, { team: owner.team, id: deepest, client: owner.id })],
      ['depth', () => pages(pathOf, { team: owner.team, id: deepest, moved: null })],
      ['height', () => pages(extentOf, { team: owner.team, id: deepest, user: guest.id })],
    ],
  ],
  [1_700, views.flatMap((which) => (['common', 'rare'] as const).map((q) => search(q, which, ownerOf(which))))],
  // A search reads the access of each match that the caller may not read.
  [4_000, views.map((which) => search('usual', which, ownerOf(which)))],
  [
    8_000,
    [...changeSorts.map((sort) => folderList('person', me, 100, sort)), ...sorts.map((sort) => documentList('person', sort, me, 100))],
  ],
  [15_000, sorts.flatMap((sort) => (['manager', 'client'] as const).map((which) => documentList(which, sort, ownerOf(which), 100)))],
];

/** A guest sees few documents among 5 000 of others. */
const readsOfGuest: [number, Case[]][] = [
  [
    400,
    [
      folderList('person', them, 100),
      ...sorts.flatMap((sort) => [documentList('person', sort, them, 100), documentList('given', sort, them, 100)]),
      labels('person', them),
    ],
  ],
  [1_500, [search('common', 'person', them), search('rare', 'person', them)]],
  [4_000, [search('usual', 'person', them)]],
];

/** The first pages that an owner, a guest and a client see right after an import of 20 000 rows. */
const firstPages: Case[] = [
  ...(['createdAt', '-createdAt', 'updatedAt'] as const).flatMap((sort) => [
    folderList('person', me, 100, sort),
    folderList('person', them, 100, sort),
    folderList('manager', me, 100, sort),
    ...views.map((which) => documentList(which, sort, ownerOf(which), 100)),
    documentList('person', sort, them, 100),
    documentList('folder', sort, me, 100),
  ]),
  labels('person', them),
  ['a folder', () => pages(reachFolder.folder, { ...view(guest.id), id: deepest })],
  ['a document', () => pages(reachDocument, { ...view(guest.id), id: document })],
];

test('first lists read few pages before any table is analysed', async () => {
  const over: string[] = [];
  for (const [name, measure] of firstPages) {
    const read = await measure();
    // An owner of 5 000 in an order without an index reads them all.
    if (read >= (/person by updatedAt, 100(?:, an owner)?$/.test(name) ? 7_000 : 1_200)) over.push(`${name}: ${read} pages`);
  }
  assert.deepEqual(over, []);
});

describe('on analysed tables', () => {
  before(() => chancery.pool.query(`ANALYZE ${tables.join(', ')}`));

  for (const [who, cases] of [
    ['for an owner, a client and a confined client', reads],
    ['for a guest, among 5 000 rows that they cannot see', readsOfGuest],
  ] as const)
    test(`statements ${who} read few pages`, async () => {
      const over: string[] = [];
      // A connection plans its functions when it first calls them.
      await Promise.all(cases.slice(0, 1).flatMap(([, measures]) => measures.slice(0, 1).map(([, measure]) => measure())));
      for (const [most, measures] of cases)
        for (const [name, measure] of measures) {
          const read = await measure();
          if (read >= most) over.push(`${name}: ${read} pages, at most ${most}`);
        }
      assert.deepEqual(over, []);
    });

  test('a generic plan reads no more of an index than a plan for these values', async () => {
    for (const which of views) {
      const [[name, ofAny], [, ofThese]] = [
        search('common', which, ownerOf(which), 'kept'),
        search('common', which, ownerOf(which), 'of the values'),
      ];
      const [kept, made] = [await ofAny(), await ofThese()];
      assert.ok(kept <= made + 50, `${name}: ${made} pages, ${kept} with the cached plan`);
    }
  });
});
