import { insertMember } from '../test/memberships.ts';
import { randomUUIDv7 } from 'node:crypto';
import process from 'node:process';
import type { Ask } from './load.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

const tasks = '/api/v1/tasks/';
const growth = Number(process.env.GROWTH_TASKS ?? 1_000_000);
const atOnce = 50_000;
const colleagues = 19;
/** Number of steps that each side can complete. */
const transitions = 20_000;

/** Starts workflows of two steps on both sides. Returns the owner's tasks of the first steps. */
async function started({ ours, floor, team, user }: World): Promise<string[]> {
  const ids = Array.from({ length: transitions }, () => ({ workflow: randomUUIDv7(), task: randomUUIDv7() }));
  for (const pool of [ours, floor]) {
    for (let from = 0; from < transitions; from += 500) {
      const some = ids.slice(from, from + 500);
      await pool.query(
        `WITH named AS (SELECT * FROM unnest($3::uuid[], $4::uuid[]) AS n(workflow, task)),
         made AS (
           INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id, status, started_at)
           SELECT $1, n.workflow, 'Bench', 'DMS-1', $2, $2, 'active', now() FROM named n
         ), steps AS (
           INSERT INTO workflow_step (team_id, workflow_id, id, position, type, mode, depends_on, status, started_at)
           SELECT $1, n.workflow, s.id, s.position, 'task', 'all', s.depends_on, s.status, now()
           FROM named n, (VALUES ('a', 0, '{}'::text[], 'active'), ('b', 1, '{a}'::text[], 'pending')) AS s(id, position, depends_on, status)
         )
         INSERT INTO task (team_id, id, title, assigned_to, created_by, owner_id, workflow_id, step_id, document_id)
         SELECT $1, n.task, 'Bench: a', $2, $2, $2, n.workflow, 'a', 'DMS-1' FROM named n`,
        [team, user, some.map(({ workflow }) => workflow), some.map(({ task }) => task)],
      );
    }
    await pool.query('VACUUM ANALYZE workflow, workflow_step, task');
  }
  return ids.map(({ task }) => task);
}

async function addOwnTasks({ ours, floor, team, user }: World): Promise<void> {
  for (const pool of [ours, floor])
    await pool.query(
      `INSERT INTO task (team_id, id, title, assigned_to, created_by, owner_id, due_at)
       SELECT $1, uuidv7(), 'Read it', $2, $2, $2, now() + n * interval '1 hour' FROM generate_series(1, 100) n`,
      [team, user],
    );
}

/** Scenarios of daily work: listing and completing tasks. */
export const taskScenarios: readonly Scenario[] = [
  {
    name: 'list of own open tasks',
    target: 0.5,
    async prepare(world) {
      await addOwnTasks(world);
      const ask: Ask = () => ({ method: 'GET', path: `${tasks}?assignedTo=me&status=open&limit=100`, token: world.token });
      return { ours: ask, floor: ask };
    },
  },
  {
    name: 'inbox of 100 open tasks',
    target: 0.5,
    async prepare(world) {
      await addOwnTasks(world);
      const ask: Ask = () => ({ method: 'GET', path: '/api/v1/inbox', token: world.token });
      return { ours: ask, floor: ask };
    },
  },
  {
    name: 'complete a step, and begin the next',
    target: 0.5,
    async prepare(world) {
      const ids = await started(world);
      const each = () => {
        let next = 0;
        return (): ReturnType<Ask> => ({ method: 'POST', path: `${tasks}${ids[next++]}/complete`, token: world.token, body: '{}' });
      };
      return { ours: each(), floor: each() };
    },
  },
];

/**
 * Creates a team of 20 people with a million tasks on both sides, of which 1 % are open. This takes two minutes. `GROWTH_TASKS` sets a
 * smaller number.
 */
export async function grow({ ours, floor, team, user }: World): Promise<void> {
  const people = [user, ...Array.from({ length: colleagues }, () => randomUUIDv7())];
  const fill = async (pool: World['ours']) => {
    for (const id of people.slice(1)) await insertMember(pool, { team, id, email: `${id}@example.org`, role: 'member' });
    for (let from = 0; from < growth; from += atOnce)
      await pool.query(
        `INSERT INTO task (team_id, id, title, type, status, outcome, assigned_to, created_by, owner_id, workflow_id, step_id, document_id, due_at,
           completed_by, participant_id, completed_at, created_at, updated_at)
         SELECT $1, md5('task ' || n)::uuid, 'Review ' || n, 'review', CASE WHEN p.is_open THEN 'open' ELSE 'completed' END,
           CASE WHEN NOT p.is_open THEN 'completed' END, p.id, ($2::uuid[])[1], ($2::uuid[])[1], md5('workflow ' || n / 4)::uuid, 'a', 'DMS-' || n / 4,
           now() + (n % 1000) * interval '1 hour', CASE WHEN NOT p.is_open THEN p.id END, CASE WHEN NOT p.is_open THEN p.id END, CASE WHEN NOT p.is_open THEN now() END,
           now() - ($5::int - n) * interval '1 second', now() - (n % 86400) * interval '1 second'
         FROM generate_series($3::int, $4::int) n
         CROSS JOIN LATERAL (SELECT n % 100 = 0 AS is_open, ($2::uuid[])[1 + n / 100 % ${colleagues + 1}] AS id) p`,
        [team, people, from + 1, Math.min(from + atOnce, growth), growth],
      );
  };
  await Promise.all([ours, floor].map(fill));
  // The floor reads each list from one index.
  await floor.query('CREATE INDEX IF NOT EXISTS floor_task_by_change ON task (team_id, updated_at, id)');
  for (const pool of [ours, floor]) await pool.query('ANALYZE task');
}

/** Scenarios that must be as fast for a team with very many tasks as for a small team, with the same floor. */
export const grown = (scenarios: readonly Scenario[]): Scenario[] => [
  ...scenarios.map((scenario) => ({ ...scenario, name: `growth: ${scenario.name}` })),
  ...[
    { of: 'open tasks by due date', query: 'status=open&sort=dueDate' },
    { of: 'tasks by last change', query: 'sort=-updatedAt' },
  ].map(({ of, query }) => ({
    name: `growth: ${of}`,
    target: 0.5,
    prepare: async ({ token }: World) => {
      const ask: Ask = () => ({ method: 'GET', path: `${tasks}?${query}&limit=100`, token });
      return { ours: ask, floor: ask };
    },
  })),
];
