/**
 * Searching documents by words of their text, of which some stand in one of a thousand, some in most, by two of them and by parts of their
 * names: by the owner of all of them, and by a member who sees one in a hundred. `SEARCH_DOCUMENTS` makes fewer of them.
 */
import { randomUUIDv7 } from 'node:crypto';
import process from 'node:process';
import { type Ask, measure } from './load.ts';
import { prepareWorld, type World } from './world.ts';

type Result = { scenario: string; figures: Record<string, number>; aim: string; met: boolean };

const many = Number(process.env.SEARCH_DOCUMENTS ?? 100_000);
const aimMs = 50;
const atOnce = 5_000;
const words = 20_000;

/** Documents of the owner with 80 words each, the first of which are the commonest; every hundredth lies in a folder of its own. */
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
         INSERT INTO document_text (team_id, document_id, version, words)
         SELECT $1, id, 1, array_to_tsvector(words_of_team($1, id) || ARRAY(SELECT DISTINCT '3 ' || substr(lower(title), n, 3) FROM generate_series(1, char_length(title) - 2) n)) || setweight(searched_words('english', title), 'A') || searched_words('english', text) FROM written
       )
       INSERT INTO document_passage (team_id, document_id, number, text, words) SELECT $1, id, 1, text, searched_words('english', text) FROM written`,
      [team, user, shared, hidden, from + 1, Math.min(from + atOnce, many), words],
    );
}

/** A member with whom the folder of every hundredth is shared. */
async function guestOf({ ours, team, user, folders: [shared], issue }: World): Promise<string> {
  const [id, session] = [randomUUIDv7(), randomUUIDv7()];
  await ours.query(
    "INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role) VALUES ($1, $2, 'g@example.org', 'g@example.org', 'G', 'G', 'member')",
    [team, id],
  );
  await ours.query(
    "INSERT INTO session (team_id, id, account_id, auth_time, amr, acr, expires_at) VALUES ($1, $2, $3, now(), '{pwd}', 'aal1', now() + interval '90 days')",
    [team, session, id],
  );
  const grant = `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
    VALUES ($1, $2, 'folder', $3, 'user', $4, '{viewer}', 'share', $5, now())`;
  await ours.query(grant, [team, randomUUIDv7(), shared, id, user]);
  return issue({ team, user: id, session, role: 'member' });
}

const search = (token: string): Ask => {
  let asked = 0;
  return () => {
    asked += 1;
    const one = `w${Math.floor(((asked * 7_919) % words) ** 2 / words)}`;
    const name = `eement ${(asked * 7_919) % many}`;
    const q =
      [one, `${one} w${asked % 40}`, one, one, `${one} w${asked % 40}`, asked % 4 === 0 ? name.slice(0, -2) : name][asked % 6] ?? one;
    return { method: 'GET', path: `/api/v1/smartdoc/documents/search?q=${encodeURIComponent(q)}`, token };
  };
};

export async function benchSearch(
  { seconds, only }: { seconds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'search'.includes(part))) return;
  const world = await prepareWorld();
  try {
    await fill(world);
    const tokens = { 'the owner of all': world.token, 'a member who sees one in a hundred': await guestOf(world) };
    for (const [who, token] of Object.entries(tokens)) {
      await measure(world.oursUrl, search(token), 1, 4);
      const { perSecond, p50, p95, p99 } = await measure(world.oursUrl, search(token), seconds, 4);
      show({
        scenario: `search of ${many} documents by ${who}`,
        figures: { 'searches/s': perSecond, 'p50 ms': p50, 'p95 ms': p95, 'p99 ms': p99 },
        aim: `p95 ≤ ${aimMs} ms`,
        met: p95 <= aimMs,
      });
    }
  } finally {
    await world.stop();
  }
}
