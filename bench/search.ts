/**
 * Measures searches for rare words, common words, two words and parts of titles. The callers are the owner of all documents, and a member
 * with access to 1 % of them. The floor is the full-text statement without access checks, on the same documents in the same order.
 * `SEARCH_DOCUMENTS` sets a smaller number of documents.
 */
import { insertMember, insertSessions } from '../test/memberships.ts';
import { randomUUIDv7 } from 'node:crypto';
import process from 'node:process';
import { type Ask, type Measured, measure } from './load.ts';
import { prepareWorld, type World } from './world.ts';
import type { Result } from './result.ts';

const many = Number(process.env.SEARCH_DOCUMENTS ?? 100_000);
const aim = 2;
/** Maximum number of ranked hits (src/records/documents/search/service.ts). Larger results are sorted by date, newest first. */
const maxRanked = 500;
const distinct = 600;
const atOnce = 5_000;
const words = 20_000;

/** Creates documents of the owner with 80 words each. The first words of the vocabulary are the most frequent. One folder contains 1 %. */
async function fill({ ours, team, user, folders: [shared = '', hidden = ''] }: World): Promise<void> {
  for (let from = 0; from < many; from += atOnce)
    await ours.query(
      `WITH made AS (
         INSERT INTO document (team_id, id, user_id, folder_id, title, current_version)
         SELECT $1, uuidv7(), $2, CASE WHEN n % 100 = 0 THEN $3::uuid ELSE $4::uuid END, 'Agreement ' || n, 0 FROM generate_series($5::int, $6::int) n
         RETURNING id, title
       ), written AS MATERIALIZED (
         SELECT m.id, m.title, (SELECT string_agg('w' || floor(power(random(), 3) * $7)::int, ' ') FROM generate_series(1, 80) WHERE m.id IS NOT NULL) AS text FROM made m
       ), kept AS (
         INSERT INTO document_text (team_id, document_id, version, title, words)
         SELECT $1, id, 1, title, array_to_tsvector(words_of_team($1, id) || ARRAY(SELECT DISTINCT '3 ' || substr(lower(title), n, 3) FROM generate_series(1, char_length(title) - 2) n)) || setweight(searched_words('english', title), 'A') || searched_words('english', text) FROM written
       )
       INSERT INTO document_passage (team_id, document_id, number, text, words) SELECT $1, id, 1, text, searched_words('english', text) FROM written`,
      [team, user, shared, hidden, from + 1, Math.min(from + atOnce, many), words],
    );
}

/** Copies the rows to one table of the floor, with an index of words and an index of parts of titles. */
async function fillFloor({ ours, floor, team }: World): Promise<void> {
  await floor.query(`CREATE EXTENSION pg_trgm;
    ALTER TABLE document ADD COLUMN text text NOT NULL DEFAULT '', ADD COLUMN words tsvector
      GENERATED ALWAYS AS (setweight(to_tsvector('english', title), 'A') || to_tsvector('english', text)) STORED`);
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await ours.query(
      `SELECT d.id, d.user_id, d.folder_id, d.title, p.text FROM document d JOIN document_passage p ON p.team_id = d.team_id AND p.document_id = d.id
       WHERE d.team_id = $1 AND d.id > $2 ORDER BY d.id LIMIT $3`,
      [team, last, atOnce],
    );
    if (rows.length === 0) break;
    last = (rows.at(-1) as { id: string }).id;
    await floor.query(
      `INSERT INTO document (team_id, id, user_id, folder_id, title, current_version, text)
       SELECT $1, id, user_id, folder_id, title, 0, text
       FROM json_to_recordset($2) AS d(id uuid, user_id uuid, folder_id uuid, title text, text text)`,
      [team, JSON.stringify(rows)],
    );
  }
  await floor.query('CREATE INDEX ON document USING gin (words)');
  await floor.query('CREATE INDEX ON document USING gin (title gin_trgm_ops)');
}

/** Creates a member with access to the shared folder. */
async function guestOf({ ours, team, user, folders: [shared], issue }: World): Promise<string> {
  const [id, session] = [randomUUIDv7(), randomUUIDv7()];
  await insertMember(ours, { team, id, email: 'g@example.org', role: 'member' });
  await insertSessions(ours, team, id, [session]);
  const grant = `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
    VALUES ($1, $2, 'folder', $3, 'user', $4, '{viewer}', 'share', $5, now())`;
  await ours.query(grant, [team, randomUUIDv7(), shared, id, user]);
  return issue({ team, user: id, session, role: 'member' });
}

/** The queries and the order of their hits. */
async function queriesOf({ floor, team }: World): Promise<{ q: string; order: 'ranked' | 'newest' }[]> {
  const queries = Array.from({ length: distinct }, (_, n) => {
    const one = `w${Math.floor(((n * 7_919) % words) ** 2 / words)}`;
    const two = `${one} w${n % 40}`;
    return [one, two, one, one, two, `eement ${(n * 7_919) % many}`][n % 6] ?? one;
  });
  const { rows } = await floor.query(
    `SELECT q, CASE WHEN count(d.id) > $3 THEN 'newest' ELSE 'ranked' END AS order
     FROM unnest($2::text[]) WITH ORDINALITY AS u(q, n) LEFT JOIN LATERAL (
       SELECT d.id FROM document d
       WHERE d.team_id = $1 AND (d.words @@ websearch_to_tsquery('english', u.q) OR d.title ILIKE '%' || u.q || '%') LIMIT $3 + 1
     ) d ON true GROUP BY n, q ORDER BY n`,
    [team, queries, maxRanked],
  );
  return rows;
}

const search = (token: string, queries: Awaited<ReturnType<typeof queriesOf>>): Ask => {
  let sent = 0;
  return () => {
    const { q, order } = queries[sent++ % queries.length] ?? { q: 'w1', order: 'newest' };
    // The floor reads the header.
    return { method: 'GET', path: `/api/v1/smartdoc/documents/search?q=${encodeURIComponent(q)}`, token, headers: { 'x-order': order } };
  };
};

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

export async function benchSearch(
  { seconds, rounds, only }: { seconds: number; rounds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'search'.includes(part))) return;
  const world = await prepareWorld();
  try {
    await fill(world);
    await fillFloor(world);
    const guest = await guestOf(world);
    for (const pool of [world.ours, world.floor]) await pool.query('VACUUM ANALYZE');
    const queries = await queriesOf(world);
    const sides = {
      floor: { url: world.floorUrl, ask: search(world.token, queries) },
      'the owner of all': { url: world.oursUrl, ask: search(world.token, queries) },
      'a member who sees one in a hundred': { url: world.oursUrl, ask: search(guest, queries) },
    };
    const runs = new Map(Object.keys(sides).map((who) => [who, [] as Measured[]]));
    for (const { url, ask } of Object.values(sides)) await measure(url, ask, 1, 4);
    for (let round = 0; round < rounds; round += 1)
      for (const [who, { url, ask }] of Object.entries(sides)) runs.get(who)?.push(await measure(url, ask, seconds, 4));
    const floor = runs.get('floor') ?? [];
    for (const [who, ours] of runs) {
      if (who === 'floor') continue;
      const ratio = median(ours.map(({ p95 }, round) => p95 / (floor[round]?.p95 ?? 1)));
      show({
        scenario: `search of ${many} documents by ${who}`,
        figures: {
          'searches/s': median(ours.map(({ perSecond }) => perSecond)),
          'p50 ms': median(ours.map(({ p50 }) => p50)),
          'p95 ms': median(ours.map(({ p95 }) => p95)),
          'p99 ms': median(ours.map(({ p99 }) => p99)),
          'floor p50 ms': median(floor.map(({ p50 }) => p50)),
          'floor p95 ms': median(floor.map(({ p95 }) => p95)),
          'p95 ratio': ratio,
        },
        aim: `p95 ≤ ${aim} × the floor`,
        met: ratio <= aim,
      });
    }
  } finally {
    await world.stop();
  }
}
