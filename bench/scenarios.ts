import { randomUUIDv7 } from 'node:crypto';
import type { Ask } from './load.ts';
import type { Scenario } from './scenario.ts';
import { signInScenarios } from './sign-in.ts';
import { grown, taskScenarios } from './tasks.ts';
import type { World } from './world.ts';

let made = 0;
const folders = '/api/v1/smartdoc/folders';

/** Creates draft workflows on both sides. Each is started once. */
async function drafts(world: World, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUIDv7());
  for (const pool of [world.ours, world.floor]) {
    // Each row counts against the team quota at the commit. In one large transaction, each row would update the same counter.
    for (let from = 0; from < count; from += 500) {
      await pool.query(
        "INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id) SELECT $1, id, 'Bench', 'DMS-1', $2, $2 FROM unnest($3::uuid[]) AS w(id)",
        [world.team, world.user, ids.slice(from, from + 500)],
      );
    }
    await pool.query(
      `INSERT INTO workflow_step (team_id, workflow_id, id, position, type, mode, depends_on)
       SELECT $1, w.id, s.id, s.position, 'task', 'all', s.depends_on FROM unnest($2::uuid[]) AS w(id), (VALUES ('a', 0, '{}'::text[]), ('b', 1, '{a}'::text[])) AS s(id, position, depends_on)`,
      [world.team, ids],
    );
    await pool.query('VACUUM ANALYZE workflow, workflow_step');
  }
  return ids;
}

const interfaces = '/api/v1/interfaces';
const fields = [
  { id: 'name', type: 'text', label: 'Name', required: true },
  { id: 'email', type: 'email', label: 'E-mail', required: true },
  { id: 'kind', type: 'radio', label: 'Kind', options: [{ id: 'person' }, { id: 'company' }] },
  { id: 'company', type: 'text', label: 'Company', required: true, visibleIf: { field: 'kind', eq: 'company' } },
  { id: 'what', type: 'textarea', label: 'What is it about?' },
];

/** Publishes a form on the service and copies its rows to the floor. Returns the token of its link. */
async function publishedForm({ oursUrl, token, ours, floor, team }: World): Promise<string> {
  const send = async (path: string, body: object): Promise<{ id: string; publicToken: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${oursUrl}${interfaces}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string; publicToken: string };
  };
  const { id } = await send('', { title: 'Bench', type: 'form', fields: fields });
  const { publicToken } = await send(`${id}/publish`, { revision: 1 });
  for (const table of ['interface', 'interface_version', 'interface_link', 'interface_count']) {
    const { rows } = await ours.query(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE team_id = $1`, [team]);
    for (const { row } of rows) await floor.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`, [row]);
  }
  return publicToken;
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'authenticated read of one folder',
    target: 0.65,
    p99Target: 3,
    async prepare({ token, folders: ids }) {
      let next = 0;
      const ask: Ask = () => ({ method: 'GET', path: `${folders}/${ids[(next += 1) % ids.length]}`, token });
      return { ours: ask, floor: ask };
    },
  },
  {
    name: 'list of 1 000 folders with counts',
    target: 0.6,
    async prepare({ token }) {
      const ask: Ask = () => ({ method: 'GET', path: `${folders}/`, token });
      return { ours: ask, floor: ask };
    },
  },
  {
    name: 'create folder, entry and event',
    target: 0.5,
    async prepare({ token }) {
      const ask: Ask = () => ({ method: 'POST', path: `${folders}/`, token, body: JSON.stringify({ name: `Bench ${(made += 1)}` }) });
      return { ours: ask, floor: ask };
    },
  },
  {
    name: 'start a workflow',
    target: 0.5,
    async prepare(world) {
      const ids = await drafts(world, 60_000);
      const each = () => {
        let next = 0;
        return (): ReturnType<Ask> => ({ method: 'POST', path: `/api/v1/workflows/${ids[next++]}/start`, token: world.token });
      };
      return { ours: each(), floor: each() };
    },
  },
  {
    name: 'submit a form',
    target: 0.5,
    async prepare(world) {
      const path = `${interfaces}/public/${await publishedForm(world)}/submit`;
      const data = { name: 'Ada Lovelace', email: 'ada@example.org', kind: 'company', company: 'Analytical Engines', what: 'A licence.' };
      // The floor requires a token. The service ignores it here.
      const ask: Ask = () => ({
        method: 'POST',
        path,
        token: world.token,
        body: JSON.stringify({ data: { ...data, name: `Ada ${(made += 1)}` } }),
      });
      return { ours: ask, floor: ask };
    },
  },
  ...taskScenarios,
  ...signInScenarios,
];

/** The same scenarios for a team with a million tasks. */
export const growthScenarios = grown(scenarios.filter(({ name }) => /^(?:list of|start a|complete a)/.test(name)));
