/**
 * Measures lists and access checks of documents in a large team, after ANALYZE. The team has 102 000 documents in 5 056 folders, of which ten
 * chains have 64 folders each. It has 300 people, 30 groups and 20 000 grants. 50 barriers protect 39 750 documents. For each caller it prints
 * the pages that PostgreSQL reads and the CPU time of its process. Pages do not depend on the load of the machine.
 */
import { membersFrom } from '../test/memberships.ts';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { beginning, listDocuments } from '../src/records/documents/list-queries.ts';
import { reachDocument } from '../src/records/documents/queries.ts';
import { eachExactFilter, type Sort } from '../src/records/documents/schemas.ts';
import type { Statement } from '../src/platform/database/statement.ts';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import type { Result } from './result.ts';

const nid = (kind: number, n: number) => `${kind.toString(16).padStart(8, '0')}-0001-7000-8000-${n.toString(16).padStart(12, '0')}`;
const team = nid(1, 0);
const person = (n: number) => nid(3, n);
const id = (kind: string, n: string) => `('0000000${kind}-0001-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** 79 trees of 64 folders: 10 are chains, the others have three folders in each folder. Barriers protect the newest 5 000 documents. */
const data = [
  `INSERT INTO team (team_id, name) VALUES ('${team}', 'Large')`,
  membersFrom(
    `SELECT '${team}'::uuid, ${id('3', 'n')}, n || '@example.org', 'P', n::text, CASE WHEN n = 1 THEN 'owner' WHEN n < 4 THEN 'admin' ELSE 'member' END, NULL
     FROM generate_series(1, 300) n`,
  ),
  `INSERT INTO access_group (team_id, id, name, created_by, created_by_type, created_at, updated_at)
   SELECT '${team}', ${id('5', 'n')}, 'group ' || n, '${person(1)}', 'user', now(), now() FROM generate_series(0, 29) n`,
  ...Array.from(
    { length: 64 },
    (_, level) => `INSERT INTO folder (team_id, id, parent_id, user_id, name, name_key)
     SELECT '${team}', ${id('2', 'r * 64 + j')}, CASE WHEN j = 0 THEN NULL WHEN r < 10 THEN ${id('2', 'r * 64 + j - 1')} ELSE ${id('2', 'r * 64 + (j - 1) / 3')} END,
       ${id('3', '10 + r')}, 'folder ' || r || '/' || j, 'folder ' || r || '/' || j FROM generate_series(0, 78) r, (VALUES (${level})) v (j)`,
  ),
  `INSERT INTO document (team_id, id, folder_id, user_id, title, created_at, updated_at, status)
   SELECT '${team}', ${id('4', 'n')}, f.id, f.user_id, 'document ' || n, now() - interval '1 second' * (100000 - n), now() - interval '1 second' * (100000 - n),
     CASE WHEN n % 3 = 0 THEN 'approved' ELSE 'draft' END
   FROM (SELECT n, CASE WHEN n > 95000 THEN (20 + n % 50) * 64 + 1 ELSE ((n::bigint * 7919) % 5056)::int END AS at FROM generate_series(1, 100000) n) d
   JOIN folder f ON f.team_id = '${team}' AND f.id = ${id('2', 'd.at')}`,
  `INSERT INTO document (team_id, id, user_id, title, created_at, updated_at)
   SELECT '${team}', ${id('4', '200000 + n')}, ${id('3', '10 + n % 250')}, 'loose ' || n, now(), now() FROM generate_series(1, 2000) n`,
  `INSERT INTO access_group_member (team_id, group_id, user_id, added_by, added_at)
   SELECT DISTINCT '${team}'::uuid, ${id('5', '(n * 13) % 29')}, ${id('3', '10 + (n * 11) % 280')}, '${person(1)}'::uuid, now() FROM generate_series(1, 300) n
   UNION ALL SELECT '${team}', ${id('5', '29')}, ${id('3', 'n')}, '${person(1)}', now() FROM unnest(ARRAY[297, 299]) n`,
  grants(
    'folder',
    '(n::bigint * 7919 % 5056)::int',
    "CASE WHEN n % 10 = 0 THEN 'group' ELSE 'user' END",
    `CASE WHEN n % 10 = 0 THEN ${id('5', '(n / 10) % 29')} ELSE ${id('3', '10 + (n * 11) % 280')} END`,
    12_000,
  ),
  grants('document', '1 + (n::bigint * 6151 % 100000)::int', "'user'", id('3', '10 + (n * 13) % 280'), 8_000),
  // A group that views all; a person who views 5 folders low in a tree and 10 documents.
  grants('folder', '(n - 1) * 64', "'group'", id('5', '29'), 79),
  grants('folder', '70 * 64 + 40 + n', "'user'", id('3', '298'), 5),
  grants('document', 'n * 1000', "'user'", id('3', '298'), 10),
];

function grants(type: 'folder' | 'document', at: string, principalType: string, principal: string, many: number): string {
  return `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
    SELECT '${team}', uuidv7(), '${type}', ${id(type === 'folder' ? '2' : '4', at)}, ${principalType}, ${principal},
      CASE WHEN n % 4 = 0 THEN '{editor}'::text[] ELSE '{viewer}' END, 'share', '${person(1)}', now() FROM generate_series(1, ${many}) n ON CONFLICT DO NOTHING`;
}

/** 50 barriers, each around a folder tree. Person 299 is a member of all barriers; 297 and the administrators are excluded from all. */
const barriers = [
  `INSERT INTO access_barrier (team_id, id, set_by, created_at) SELECT '${team}', ${id('2', 'r * 64 + 1')}, ${id('3', '10 + r')}, now() FROM generate_series(20, 69) r`,
  `INSERT INTO access_barrier_member (team_id, barrier_id, principal_type, principal_id)
   SELECT DISTINCT '${team}'::uuid, ${id('2', 'r * 64 + 1')}, 'user', ${id('3', 'u')} FROM generate_series(20, 69) r,
     LATERAL (VALUES (10 + r), (110 + r), (130 + r), (160 + r), (299)) m (u)`,
  `UPDATE folder f SET barrier_id = b.id FROM access_barrier b CROSS JOIN LATERAL access_below('${team}', b.id) p
   WHERE f.team_id = '${team}' AND f.id = p.id`,
];

const callers: [string, number | null, 'granted' | 'all'][] = [
  ['who sees nothing', 300, 'granted'],
  ['who sees 5 folders and 10 documents', 298, 'granted'],
  ['a member with about 70 grants', 50, 'granted'],
  ['who sees all by a group, inside of 50 barriers', 299, 'granted'],
  ['who sees all by a group, outside of them', 297, 'granted'],
  ['an administrator outside of them', 2, 'all'],
  ['an API client', null, 'all'],
];
const cursors = [
  ['', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  [', newest hidden', nid(4, 200_000)],
  [', from the middle', nid(4, 90_000)],
] as const;

async function fillLargeTeam(client: pg.Client): Promise<void> {
  for (const statement of [...data, ...barriers]) await client.query(statement);
  await client.query('VACUUM ANALYZE');
}

const ticks = (pid: number) => {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return `'${String(value as string | number | boolean).replaceAll("'", "''")}'`;
}

/** Measures the pages and the CPU milliseconds of a prepared statement. */
async function costOf<Params extends object>(client: pg.Client, statement: Statement<Params, unknown>, params: Params) {
  await client.query('DEALLOCATE ALL');
  await client.query(`PREPARE measured AS ${statement.text}`);
  const run = `EXECUTE measured(${statement.values(params).map(literal).join(', ')})`;
  for (let n = 0; n < 6; n += 1) await client.query(run);
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${run}`);
  const [{ Plan: root }] = rows[0]['QUERY PLAN'];
  const { rows: own } = await client.query('SELECT pg_backend_pid() AS pid');
  const runs = 20;
  const begun = ticks(own[0].pid);
  for (let n = 0; n < runs; n += 1) await client.query(run);
  return { pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'], 'CPU ms': (ticks(own[0].pid) - begun) / runs };
}

/** A document in the last folder of a chain, and a document with a barrier. */
const deep = nid(4, Array.from({ length: 5_056 }, (_, n) => n + 1).find((n) => (n * 7_919) % 5_056 === 63) ?? 0);
const behind = nid(4, 95_001);

export async function benchAccess({ only }: { only: readonly string[] }, show: (result: Result) => void): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'access'.includes(part))) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-bench-access-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedServer({ dataDir, log: pino({ level: 'error' }) });
  await migrate(server.connection);
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    await fillLargeTeam(client);
    await client.query('SET plan_cache_mode = force_generic_plan; SET jit = off; SET ROLE chancery_app');
    await client.query("SELECT set_config('app.team_id', $1, false)", [team]);
    const sort: Sort = '-createdAt';
    for (const [who, number, view] of callers)
      for (const [from, after] of cursors) {
        const user = number === null ? null : person(number);
        const filters = {
          folder: null,
          matter: null,
          ...eachExactFilter(() => null),
          q: null,
          ids: null,
          labels: null,
          since: null,
          holds: false,
        };
        const figures = await costOf(client, listDocuments[view][sort], {
          team,
          user,
          roots: null,
          ...filters,
          ...beginning[sort],
          after,
          limit: 100,
        });
        show({ scenario: `documents of ${who}${from}`, figures, aim: '≤ 20 000 pages', met: figures.pages <= 20_000 });
      }
    for (const [what, document, number] of [
      ['in a folder 64 deep', deep, 50],
      ['behind a barrier', behind, 299],
    ] as const) {
      const figures = await costOf(client, reachDocument, { team, user: person(number), roots: null, id: document });
      show({ scenario: `check of a document ${what}`, figures, aim: '≤ 600 pages', met: figures.pages <= 600 });
    }
  } finally {
    await client.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
