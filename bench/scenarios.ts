import { randomUUIDv7 } from 'node:crypto';
import type { Ask } from './load.ts';
import { signInScenarios } from './sign-in.ts';
import type { World } from './world.ts';

/** A scenario: what is asked of each side, and which ratio of throughput is aimed at. */
export type Scenario = {
  name: string;
  target: number;
  /** At most so many times the floor's p99. */
  p99Target?: number;
  /** `beside`: what a few clients ask meanwhile, uncounted. */
  prepare(world: World): Promise<{ ours: Ask; floor: Ask; beside?: Ask }>;
};

let made = 0;
const folders = '/api/v1/smartdoc/folders';

/** Drafts to be started, on both sides; each is started once. */
async function drafts(world: World, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUIDv7());
  for (const pool of [world.ours, world.floor]) {
    // Each row counts against the team's quota at the commit: as a transaction of many, each would update the same counter.
    for (let from = 0; from < count; from += 500) {
      await pool.query(
        "INSERT INTO workflow (team_id, id, name, document_id, created_by) SELECT $1, id, 'Bench', 'DMS-1', $2 FROM unnest($3::uuid[]) AS w(id)",
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
  ...signInScenarios,
];
