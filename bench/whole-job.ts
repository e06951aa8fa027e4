/**
 * Measures outputs of forms and approval rounds beside plain work in the same service. A submission with three outputs is compared with one
 * without, and a round of 3 of 5 members with an approval by all of 3.
 */
import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertMember, insertSessions } from '../test/memberships.ts';
import type { Result } from './result.ts';
import { cpuSeconds, quantile } from './webhook-world.ts';
import { prepareWorld, type World } from './world.ts';

const times = 30;
const outputsAimMs = 500;
const roundAim = 2;

type Created = { id: string; publicToken: string; submissionId: string };

const caller = ({ oursUrl, token }: World) =>
  async function post(path: string, body: object, as: string = token): Promise<Created> {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
    const answer = await fetch(`${oursUrl}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Created;
  };
type Post = ReturnType<typeof caller>;

/** Returns the CPU milliseconds of the service and the median duration, per run. */
async function costOf({ pid }: World, work: (n: number) => Promise<unknown>): Promise<{ cpu: number; ms: number }> {
  await work(-1);
  const durations: number[] = [];
  const cpu = cpuSeconds(pid);
  for (let n = 0; n < times; n += 1) {
    const begun = performance.now();
    await work(n);
    durations.push(performance.now() - begun);
  }
  return { cpu: ((cpuSeconds(pid) - cpu) * 1_000) / times, ms: quantile(durations, 0.5) };
}

const source = '#let data = json(bytes(sys.inputs.data))\n#set document(title: "Annex")\n#title[Order of #data.company]';
const schema = {
  type: 'object',
  required: ['company'],
  properties: { company: { type: 'string', maxLength: 200 } },
  examples: [{ company: 'Acme' }],
};

/** A submission that makes a document, a workflow about it and a record, until all of them exist. */
async function outputs(world: World, post: Post): Promise<Result> {
  const { id: templateId } = await post('/document-templates/', { name: 'Annex', source, schema });
  const { id: registryId } = await post('/registries/', { name: 'Vendors', fields: [{ id: 'name', type: 'text', label: 'Name' }] });
  const parameters = [{ name: 'party', type: 'text', required: true }];
  const steps = [{ id: 'read', type: 'task', name: 'Read {{party}}' }];
  await post('/workflows/templates', { name: 'vendor', description: 'A vendor', parameters, steps });
  const company = { from: 'company' };
  const config = Object.fromEntries([
    [
      'then',
      [
        { id: 'annex', make: 'document', templateId, title: { text: 'Annex {{company}}' }, values: { company } },
        { id: 'flow', make: 'workflow', template: 'vendor', documents: ['annex'], parameters: { party: company } },
        { id: 'row', make: 'record', registryId, fields: { name: company } },
      ],
    ],
  ]);
  const fields = [{ id: 'company', type: 'text', label: 'Company', required: true, validation: { maxLength: 200 } }];
  const publish = async (more: object) => {
    const { id } = await post('/interfaces/', { type: 'form', title: 'Vendor', fields, ...more });
    return { id, link: (await post(`/interfaces/${id}/publish`, { revision: 1 })).publicToken };
  };
  const [plain, full] = [await publish({}), await publish({ config })];
  const submit = (link: string, n: number) => post(`/interfaces/public/${link}/submit`, { data: { company: `Acme ${n}` } });
  const floor = await costOf(world, (n) => submit(plain.link, n));
  const ours = await costOf(world, async (n) => {
    const { submissionId } = await submit(full.link, n);
    const made = 'SELECT count(*)::int AS made FROM submission_output WHERE submission_id = $1 AND result_id IS NOT NULL';
    while ((await world.ours.query(made, [submissionId])).rows[0].made < 3) await sleep(10);
  });
  return {
    scenario: 'whole job: submit with three outputs, until all exist',
    figures: { ms: ours.ms, 'CPU ms': ours.cpu, 'plain submission ms': floor.ms, 'CPU ms of it': floor.cpu },
    aim: `≤ ${outputsAimMs} ms`,
    met: ours.ms <= outputsAimMs,
  };
}

/** A round that 3 of 5 members decide. */
async function round(world: World, post: Post): Promise<Result> {
  const { team, ours: pool } = world;
  const members = Array.from({ length: 5 }, () => ({ user: randomUUIDv7(), session: randomUUIDv7() }));
  const tokens = new Map<string, string>();
  for (const { user, session } of members) {
    await insertMember(pool, { team, id: user, email: `${user}@example.org`, role: 'member' });
    await insertSessions(pool, team, user, [session]);
    tokens.set(user, await world.issue({ team, user, session, role: 'member' }));
  }
  const users = members.map(({ user }) => user);
  const decide = async (step: object, n: number) => {
    const steps = [{ id: 'approval', type: 'approval', name: 'Approve', ...step }];
    const { id } = await post('/workflows/', { name: `Round ${n}`, documentId: 'DMS-1', steps });
    await post(`/workflows/${id}/start`, {});
    const { rows } = await pool.query('SELECT id, assigned_to FROM task WHERE team_id = $1 AND workflow_id = $2', [team, id]);
    for (const { id: task, assigned_to: user } of rows.slice(0, 3))
      await post(`/tasks/${task}/complete`, { outcome: 'approved' }, tokens.get(user));
  };
  const rules = [{ id: 'three', need: [{ count: 3, from: users.map((user) => `user:${user}`) }] }];
  const floor = await costOf(world, (n) => decide({ assignees: users.slice(0, 3) }, n));
  const ours = await costOf(world, (n) => decide({ config: { approval: { rules } } }, n));
  const ratio = ours.cpu / floor.cpu;
  return {
    scenario: 'whole job: a round of 3 of 5 beside an approval by all of 3',
    figures: { ms: ours.ms, 'CPU ms': ours.cpu, 'plain ms': floor.ms, 'CPU ms of it': floor.cpu, ratio },
    aim: `≤ ${roundAim} times the CPU time`,
    met: ratio <= roundAim,
  };
}

export async function benchWholeJob({ only }: { only: readonly string[] }, show: (result: Result) => void): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'whole job'.includes(part))) return;
  const world = await prepareWorld();
  try {
    const post = caller(world);
    show(await outputs(world, post));
    show(await round(world, post));
  } finally {
    await world.stop();
  }
}
