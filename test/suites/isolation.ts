import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import type { Chancery, TestTeam } from '../harness.ts';
import { eventually } from '../webhook-receiver.ts';
import { fillPath, named, plausible } from './walk.ts';

/** Returns the id of the seeded resource for a path parameter. */
export function seededId(seeded: Record<string, string>, path: string, name: string): string {
  const area = Object.keys(seeded).find((prefix) => path.startsWith(prefix) && (name === 'id' || prefix.endsWith(`{${name}}`)));
  return seeded[`${path}#${name}`] ?? (area ? (seeded[area] ?? '') : randomUUIDv7());
}

/** Returns the path of an operation with the ids of seeded resources. */
export function seededPath(seeded: Record<string, string>, path: string): string {
  return fillPath(path, (name) => seededId(seeded, path, name));
}

/**
 * Calls each operation on resources of a team with tokens of another team. Each id must get 404 or an error before any lookup. No
 * response may contain these ids, and all rows of the team must be unchanged.
 */
export async function assertIsolated(
  chancery: Chancery,
  team: TestTeam,
  otherTeam: TestTeam,
  seeded: Record<string, string>,
  as: 'admin' | 'guest' | 'auditor' | 'client' = 'admin',
): Promise<void> {
  const client = as === 'client' ? await chancery.client(otherTeam.owner) : undefined;
  const ids = [...new Set(Object.values(seeded))];
  const before = await snapshot(chancery, team.id);
  for (const operation of chancery.description.operations) {
    if (operation.access !== 'user') continue;
    const wanted = operation.parameters.filter((one) => one.in === 'query' && one.required).map((one) => `${one.name}=1`);
    const path = `${seededPath(seeded, operation.path)}${wanted.length === 0 ? '' : `?${wanted.join('&')}`}`;
    // A new person for each call, because one of the operations signs out.
    const stranger = client ?? (await chancery.user(otherTeam, { role: as === 'client' ? 'admin' : as }));
    const answer = await chancery.call(operation.method, path, {
      token: stranger.token,
      ...(operation.hasBody ? { body: plausible(operation.body) } : {}),
    });
    const shown = ids.filter((id) => !path.includes(id) && answer.text.includes(id));
    assert.deepEqual(shown, [], `${named(operation)} shows nothing of another team`);
    if (client && operation.personal) {
      assert.deepEqual([answer.status, answer.body.code], [403, 'person_required'], named(operation));
      continue;
    }
    // This id filters the caller’s own workflows. It can be the id of a document in another system.
    if (!ids.some((id) => path.includes(id)) || path.includes('/document/')) continue;
    const isClosed = answer.status === 403 && /^(?:forbidden|insufficient_scope|person_required)$/.test(answer.body.code);
    if ((as === 'guest' || as === 'auditor') && isClosed) continue;
    assert.ok([400, 404, 422].includes(answer.status), `${named(operation)} returned ${answer.status} for a resource of another team`);
    if (operation.method === 'GET') assert.equal(answer.status, 404, named(operation));
  }
  assert.deepEqual(await snapshot(chancery, team.id), before, 'all rows of the team are unchanged');
}

/** Waits until the used budgets of all teams are written. One batch writes them later; a delivery of another team is among the last. */
export async function budgetsWritten(chancery: Chancery, { id, owner: { token } }: TestTeam): Promise<void> {
  const written = async () =>
    (await chancery.pool.query('SELECT free_at::text AS at FROM team_budget WHERE team_id = $1', [id])).rows[0]?.at;
  const before = await written();
  const body = { name: 'Marker', url: 'https://receiver.example/marker', events: ['folder.created'] };
  const made = await chancery.call('POST', '/api/v1/webhooks/', { token, body });
  assert.equal(made.status, 201, made.text);
  await chancery.call('POST', '/api/v1/smartdoc/folders/', { token, body: { name: randomUUIDv7() } });
  assert.equal((await chancery.call('DELETE', `/api/v1/webhooks/${made.body.id}`, { token })).status, 204);
  await eventually('the budgets are written', async () => (await written()) !== before);
}

/** Returns a hash of all rows of a team for each table. */
export async function snapshot(chancery: Chancery, teamId: string): Promise<Record<string, string>> {
  const { rows } = await chancery.pool.query(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'team_id'",
  );
  const entries = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await chancery.pool.query(
        `SELECT coalesce(string_agg(md5(t::text), ',' ORDER BY t::text), '') AS rows FROM ${name} t WHERE team_id = $1`,
        [teamId],
      );
      return [name, found.rows[0].rows] as const;
    }),
  );
  return Object.fromEntries(entries);
}
