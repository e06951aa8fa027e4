import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { type TestResponse, type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { runTimers } from '../../../test/timers.ts';
import { writeStepJob } from '../../intake/registries/workflow-steps.ts';
import { purgeDocuments } from '../../records/documents/jobs.ts';
import { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import { signAnswer } from '@chancery/webhooks';
import { createDiskStorage } from '../../platform/storage/disk.ts';

const path = '/api/v1/workflows';
const documents = '/api/v1/smartdoc/documents';
const dayMs = 86_400_000;
let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

/** A team with random actions on its resources. The model is the database, with invariants that must hold. */
type World = {
  team: TestTeam;
  endpoint: { id: string; secret: string };
  registry: string;
  people: User[];
  workflows: string[];
  files: string[];
  now: number;
};
/** An action. Numbers choose its target. */
type ModelAction = (world: World, pick: (from: readonly any[]) => any, number: number) => Promise<TestResponse | undefined>;

const call = (by: User, method: string, to: string, body?: unknown) =>
  chancery.call(method, to, { token: by.token, ...(body === undefined ? {} : { body }) });
const form = (title?: string) => {
  const data = new FormData();
  if (title !== undefined) data.set('title', title);
  data.set('file', new Blob([`text ${Math.random()}`], { type: 'text/plain' }), 'a.txt');
  return data;
};
const upload = (by: User, to: string, title?: string) => chancery.call('POST', to, { token: by.token, body: form(title) });

/** Steps of all types, with ways back and parallel steps. */
function stepsFor(world: World, pick: (from: readonly any[]) => any, number: number): { id: string; dependsOn?: unknown[] }[] {
  const person = () => pick(world.people).id;
  const all = [
    { id: 'write', type: 'task', assignees: [person(), person()], mode: number % 2 === 0 ? 'any' : 'all' },
    {
      id: 'approval',
      type: 'approval',
      assignees: [person()],
      dueInDays: 0,
      config: { onReject: 'write', escalate: [{ afterDays: 1, to: 'role:admin', reassign: true }] },
    },
    {
      id: 'round',
      type: 'approval',
      config: {
        onReject: 'write',
        approval: {
          rules: [{ id: 'one', need: [{ count: 2, from: world.people.map(({ id }) => `user:${id}`) }] }],
          exclude: number % 2 === 0 ? [] : ['creator', 'uploader'],
          onRejection: number % 3 === 0 ? 'quorum' : 'first',
        },
      },
    },
    { id: 'wait', type: 'wait', config: { hours: 1 + (number % 40) } },
    { id: 'review', type: 'review', config: { onNewVersion: number % 3 === 0 ? 'ignore' : 'restart', document: 'annex' } },
    {
      id: 'row',
      type: 'record',
      config: { registryId: world.registry, fields: { name: { from: 'approval' } }, pending: number % 2 === 0 },
    },
    { id: 'tell', type: 'webhook' },
    { id: 'ask', type: 'webhook', config: { endpointId: world.endpoint.id, waitForAnswer: true, timeoutHours: 24 } },
    { id: 'sign', type: 'signature', assignees: [person()] },
    { id: 'request', type: 'signature', config: { request: true, onReject: 'write', document: 'annex' }, assignees: [person()] },
  ];
  const chosen = all.slice(0, 1 + (number % all.length));
  if (number % 3 > 0) return chosen;
  // The same steps as a graph, with a parallel step.
  const graph = chosen.map((step, at) => ({ ...step, dependsOn: at === 0 ? [] : [chosen[at - 1]?.id] }));
  return [...graph, { id: 'beside', type: 'acknowledgement', dependsOn: ['write'], assignees: [person()] }];
}

const openTasks = async ({ team }: World) =>
  (await chancery.pool.query("SELECT id, type, assigned_to FROM task WHERE team_id = $1 AND status = 'open' ORDER BY id", [team.id])).rows;
const workflow = (operation: string): ModelAction => {
  const act: ModelAction = async (world, pick) => {
    const id = pick(world.workflows);
    return id === undefined ? undefined : call(pick([world.team.owner, pick(world.people)]), 'POST', `${path}/${id}/${operation}`, {});
  };
  return act;
};

const acts: Record<string, ModelAction> = {
  async create(world, pick, number) {
    const by = pick([world.team.owner, ...world.people]);
    const named = [
      { name: 'main', documentId: pick([...world.files, 'DMS-1']) },
      { name: 'annex', documentId: pick(['DMS-2', ...world.files]) },
    ];
    const body = {
      name: `W ${number}`,
      documents: named,
      steps: stepsFor(world, pick, number).filter(({ id }) => id !== 'ask' || by.role !== 'member'),
      dueDate: new Date(world.now + dayMs).toISOString(),
    };
    const made = await call(by, 'POST', `${path}/`, body);
    if (made.status === 201) world.workflows.push(made.body.id);
    if (made.status === 201 && number % 4 > 0) return call(by, 'POST', `${path}/${made.body.id}/start`);
    return made;
  },
  start: workflow('start'),
  pause: workflow('pause'),
  resume: workflow('resume'),
  cancel: workflow('cancel'),
  async remove(world, pick) {
    const id = pick(world.workflows);
    return id === undefined ? undefined : call(world.team.owner, 'DELETE', `${path}/${id}`);
  },
  async change(world, pick, number) {
    const id = pick(world.workflows);
    if (id === undefined) return undefined;
    const { body } = await call(world.team.owner, 'GET', `${path}/${id}`);
    const kept = (body.steps ?? []).filter((step: any) => step.status !== 'pending' || number % 2 === 0);
    const added = {
      id: `added${number}`,
      type: pick(['task', 'review', 'wait']),
      dependsOn: kept.slice(0, number % 2).map((step: any) => step.id),
    };
    const steps = [...kept, added.type === 'wait' ? { ...added, config: { minutes: 5 } } : added];
    return call(world.team.owner, 'PUT', `${path}/${id}`, { steps, ...(number % 3 === 0 ? { assignedTo: pick(world.people).id } : {}) });
  },
  async complete(world, pick, number) {
    const task = pick(await openTasks(world));
    const by = [world.team.owner, ...world.people].find(({ id }) => id === task?.assigned_to);
    if (!by) return undefined;
    if (task.type === 'signature')
      return call(by, 'POST', `/api/v1/tasks/${task.id}/signature`, { outcome: number % 4 === 0 ? 'declined' : 'signed_elsewhere' });
    const decides = task.type === 'approval' || task.type === 'review';
    if (task.type === 'failed_signature' || task.type === 'failed_approval')
      return call(by, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: pick(['retry', 'cancel']) });
    if (task.type === 'failed_step')
      return call(by, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: pick(['retry', 'retry', 'skip', 'cancel']) });
    return call(
      by,
      'POST',
      `/api/v1/tasks/${task.id}/complete`,
      decides ? { outcome: pick(['approved', 'approved', 'rejected', 'changes_requested']) } : {},
    );
  },
  async answer(world, pick) {
    const { rows } = await chancery.pool.query('SELECT workflow_id, nonce FROM workflow_step WHERE team_id = $1 AND nonce IS NOT NULL', [
      world.team.id,
    ]);
    const waiting = pick(rows);
    if (!waiting) return undefined;
    const headers = signAnswer('{"outcome":"completed"}', waiting.nonce, world.endpoint.secret);
    return chancery.call('POST', `${path}/${waiting.workflow_id}/steps/ask/answer`, { headers, body: '{"outcome":"completed"}' });
  },
  async make(world, pick) {
    const begun = `to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    const active = `SELECT workflow_id AS workflow, id AS step, ${begun} AS begun FROM workflow_step WHERE team_id = $1 AND type = 'record' AND status = 'active'`;
    const run = pick((await chancery.pool.query(active, [world.team.id])).rows);
    if (!run) return undefined;
    const deps = { database: chancery.database, listeners: [], clock: () => new Date() };
    await writeStepJob.run(deps, run, { id: 'model', team: world.team.id, attempt: 1, signal: new AbortController().signal });
    return undefined;
  },
  async voidRequest(world, pick) {
    const live = "SELECT id FROM signature_request WHERE team_id = $1 AND status IN ('preparing', 'pending')";
    const request = pick((await chancery.pool.query(live, [world.team.id])).rows);
    return request && call(world.team.owner, 'POST', `/api/v1/signatures/${request.id}/void`, { reason: 'r' });
  },
  async reassign(world, pick) {
    const task = pick(await openTasks(world));
    if (!task) return undefined;
    return call(world.team.owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: pick(world.people).id, reason: 'r' });
  },
  async away(world, pick, number) {
    const [who, to] = [pick(world.people), pick(world.people)];
    const until = new Date(Date.now() + dayMs).toISOString();
    if (number % 3 === 0) return call(who, 'DELETE', '/api/v1/tasks/delegations/me');
    return call(who, 'PUT', '/api/v1/tasks/delegations/me', { toUserId: to.id, until, openTasks: false });
  },
  async file(world, pick) {
    const made = await upload(pick([world.team.owner, ...world.people]), `${documents}/`, `Document ${Math.random()}`);
    if (made.status === 201) world.files.push(made.body.id);
    return made;
  },
  async version(world, pick) {
    const id = pick(world.files);
    return id === undefined ? undefined : upload(world.team.owner, `${documents}/${id}/versions`);
  },
  async bin(world, pick) {
    const id = pick(world.files);
    return id === undefined ? undefined : call(world.team.owner, 'DELETE', `${documents}/${id}`);
  },
  async purge(world) {
    const isolation = new Isolation({
      database: chancery.database,
      log: pino({ level: 'silent' }),
      metrics: { failed: () => assert.fail('the purge failed'), setAside: () => undefined },
    });
    const storage = await createDiskStorage({ folder: join(chancery.config.DATA_DIR, 'files') });
    await purgeDocuments({ database: chancery.database, storage, isolation }, new Date(world.now + 40 * dayMs));
    return undefined;
  },
  async time(world, _pick, number) {
    world.now += (1 + (number % 30)) * 3_600_000;
    assert.deepEqual(await runTimers(chancery, new Date(world.now)), []);
    return undefined;
  },
  async leave(world, pick) {
    const leaver = pick(world.people);
    world.people = world.people.filter((person) => person !== leaver);
    world.people.push(await chancery.user(world.team));
    return call(world.team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}`);
  },
};

/** Invariants of every workflow, task and grant after any action. Each query finds violations. */
const invariants: Record<string, string> = {
  'a step of a draft has begun': `SELECT w.id FROM workflow w WHERE w.team_id = $1 AND w.status = 'draft'
    AND EXISTS (SELECT FROM workflow_step s WHERE s.workflow_id = w.id AND s.status <> 'pending')`,
  'an active workflow cannot continue': `SELECT w.id FROM workflow w WHERE w.team_id = $1 AND w.status = 'active'
    AND NOT EXISTS (SELECT FROM task t WHERE t.workflow_id = w.id AND t.status = 'open')
    AND NOT EXISTS (SELECT FROM workflow_step s WHERE s.workflow_id = w.id AND s.status = 'active' AND (s.wake_at IS NOT NULL OR s.request_id IS NOT NULL))`,
  'a step waits for an ended request, or no step waits for an open request': `SELECT r.id FROM signature_request r
    LEFT JOIN workflow_step s ON s.request_id = r.id AND s.status = 'active'
    LEFT JOIN workflow w ON w.id = r.workflow_id
    WHERE r.team_id = $1 AND r.workflow_id IS NOT NULL AND (r.status IN ('preparing', 'pending')) <> (s.id IS NOT NULL) AND w.status IS DISTINCT FROM 'paused'`,
  'a ready step of an active workflow has not begun': `SELECT w.id FROM workflow w JOIN workflow_step s ON s.workflow_id = w.id
    WHERE w.team_id = $1 AND w.status = 'active' AND s.status = 'pending' AND NOT EXISTS (
      SELECT FROM unnest(s.depends_on) d LEFT JOIN workflow_step o ON o.workflow_id = w.id AND o.id = d
      WHERE coalesce(o.status, 'pending') NOT IN ('completed', 'skipped'))`,
  'a vote is open without an open round of its active step': `SELECT t.id FROM task t JOIN approval_round r ON r.id = t.approval_round_id
    LEFT JOIN workflow_step s ON s.workflow_id = r.workflow_id AND s.id = r.step_id
    WHERE t.team_id = $1 AND t.status = 'open' AND (r.status <> 'open' OR s.status IS DISTINCT FROM 'active')`,
  'a round is open without a vote, or about another version than its votes': `SELECT r.id FROM approval_round r WHERE r.team_id = $1 AND r.status = 'open'
    AND NOT EXISTS (SELECT FROM task t WHERE t.approval_round_id = r.id AND t.status = 'open' AND t.document_version IS NOT DISTINCT FROM r.document_version)`,
  'a person voted twice in a round': `SELECT t.approval_round_id FROM task t WHERE t.team_id = $1 AND t.approval_round_id IS NOT NULL
    AND t.status IN ('completed', 'rejected') GROUP BY 1, t.completed_by HAVING count(*) > 1`,
  'an ended workflow has an open task': `SELECT w.id FROM workflow w WHERE w.team_id = $1 AND w.status IN ('completed', 'rejected', 'cancelled')
    AND (EXISTS (SELECT FROM task t WHERE t.workflow_id = w.id AND t.status = 'open')
      OR EXISTS (SELECT FROM workflow_step s WHERE s.workflow_id = w.id AND s.status IN ('active', 'pending')))`,
  'a completed workflow has an unfinished step': `SELECT w.id FROM workflow w JOIN workflow_step s ON s.workflow_id = w.id
    WHERE w.team_id = $1 AND w.status = 'completed' AND s.status NOT IN ('completed', 'skipped')`,
  'a step has a nonce and does not wait, or the reverse': `SELECT s.workflow_id FROM workflow_step s
    WHERE s.team_id = $1 AND (s.nonce IS NOT NULL) <> (s.status = 'active' AND s.id = 'ask')`,
  'a paused workflow has a running wait or a due task': `SELECT w.id FROM workflow w WHERE w.team_id = $1 AND w.status = 'paused'
    AND (EXISTS (SELECT FROM task t WHERE t.workflow_id = w.id AND t.status = 'open' AND NOT t.paused)
      OR EXISTS (SELECT FROM workflow_step s WHERE s.workflow_id = w.id AND s.wake_at IS NOT NULL))`,
  'an open task has no active step, or an active step has no open task': `
    SELECT t.id FROM task t LEFT JOIN workflow_step s ON s.workflow_id = t.workflow_id AND s.id = t.step_id
    WHERE t.team_id = $1 AND t.status = 'open' AND t.workflow_id IS NOT NULL AND coalesce(s.status, '') NOT IN ('active', 'failed')
    UNION ALL SELECT s.workflow_id FROM workflow_step s JOIN workflow w ON w.id = s.workflow_id WHERE s.team_id = $1
      AND (s.status = 'active' AND s.request_id IS NULL OR s.status = 'failed' AND w.status IN ('active', 'paused')) AND s.wake_at IS NULL AND s.wait_left IS NULL
      AND NOT EXISTS (SELECT FROM task t WHERE t.workflow_id = s.workflow_id AND t.step_id = s.id AND t.status = 'open')`,
  'a resource names a person who has left': `WITH here AS (SELECT id FROM account WHERE team_id = $1 AND status = 'active' AND deleted_at IS NULL)
    SELECT t.id FROM task t WHERE t.team_id = $1 AND t.status = 'open' AND (t.assigned_to NOT IN (TABLE here) OR t.linked_by NOT IN (TABLE here))
    UNION ALL SELECT w.id FROM workflow w WHERE w.team_id = $1 AND w.status IN ('draft', 'active', 'paused')
      AND (w.assigned_to NOT IN (TABLE here) OR w.linked_by NOT IN (TABLE here))
    UNION ALL SELECT w.id FROM workflow w JOIN workflow_step s ON s.workflow_id = w.id, unnest(s.assignees) a
      WHERE w.team_id = $1 AND w.status IN ('draft', 'active', 'paused') AND a NOT IN (TABLE here)`,
  'a delegate created the task, or also decides in the step of the absent member': `SELECT t.id FROM task t
    WHERE t.team_id = $1 AND t.on_behalf_of IS NOT NULL AND t.status = 'open' AND (t.assigned_to = t.created_by OR t.assigned_to = t.on_behalf_of)`,
  'a grant has no open task, or belongs to another person': `SELECT g.id FROM access_grant g LEFT JOIN task t ON t.id = g.source_id
    WHERE g.team_id = $1 AND g.source = 'task' AND (t.status IS DISTINCT FROM 'open' OR t.assigned_to IS DISTINCT FROM g.user_id)`,
  'a document is in review without a workflow in progress, or the reverse': `SELECT d.id FROM document d WHERE d.team_id = $1
    AND (d.status = 'in_review') <> EXISTS (
      SELECT FROM workflow w JOIN workflow_document o ON o.workflow_id = w.id
      WHERE w.team_id = $1 AND o.linked_document_id = d.id AND w.status IN ('active', 'paused'))`,
  'the first document differs from that of the workflow': `SELECT w.id FROM workflow w
    LEFT JOIN workflow_document o ON o.workflow_id = w.id AND o.position = 0
    WHERE w.team_id = $1 AND (o.document_id, o.linked_document_id, o.linked_by) IS DISTINCT FROM (w.document_id, w.linked_document_id, w.linked_by)`,
  'a completed record step has no record of its workflow': `SELECT w.id FROM workflow w JOIN workflow_step s ON s.workflow_id = w.id
    WHERE w.team_id = $1 AND s.type = 'record' AND s.status = 'completed'
      AND NOT EXISTS (SELECT FROM registry_record r WHERE r.workflow_id = w.id AND r.id::text = s.outcome)`,
  'a deleted document is linked': `SELECT w.id FROM workflow w LEFT JOIN document d ON d.id = w.linked_document_id
    WHERE w.team_id = $1 AND w.linked_document_id IS NOT NULL AND d.id IS NULL`,
  'a decision names another version than it was made on': `SELECT t.id FROM task t JOIN document_version v
      ON v.document_id = t.linked_document_id AND v.number = t.document_version
    WHERE t.team_id = $1 AND v.sha256 IS DISTINCT FROM t.document_sha256`,
  'an open decision is about an old version': `SELECT t.id FROM task t JOIN document d ON d.id = t.linked_document_id
    WHERE t.team_id = $1 AND t.status = 'open' AND t.on_new_version = 'restart' AND t.document_version IS DISTINCT FROM d.current_version
      AND NOT EXISTS (SELECT FROM workflow_step s WHERE s.workflow_id = t.workflow_id AND s.type = 'signature' AND s.status = 'completed')
      AND t.document_version IS NOT NULL`,
};

async function check(world: World, done: string): Promise<void> {
  for (const [invariant, query] of Object.entries(invariants)) {
    const { rows } = await chancery.pool.query(query, [world.team.id]);
    if (rows.length === 0) continue;
    const steps = await chancery.pool.query(
      'SELECT w.status AS workflow, s.id, s.type, s.status, s.depends_on FROM workflow_step s JOIN workflow w ON w.id = s.workflow_id WHERE s.workflow_id = $1 ORDER BY position',
      [rows[0].id],
    );
    assert.fail(`${invariant}, after ${done}: ${JSON.stringify(rows.slice(0, 2))} ${JSON.stringify(steps.rows)}`);
  }
}

const one = fc.record({
  act: fc.constantFrom(...Object.keys(acts), 'complete', 'complete', 'create', 'version', 'time', 'make'),
  numbers: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
});
const round = fc.array(one, { minLength: 2, maxLength: 3 });

test('random concurrent actions leave workflows in a valid state, without references to deleted resources', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 12, maxLength: 30 }), async (rounds) => {
      const team = await chancery.team();
      const people = [await chancery.user(team), await chancery.user(team), await chancery.user(team, { role: 'admin' })];
      const endpoint = await call(team.owner, 'POST', '/api/v1/webhooks/', {
        name: 'Asked',
        url: 'https://receiver.example/hook',
        events: ['webhook.test'],
      });
      const registry = await call(team.owner, 'POST', '/api/v1/registries/', {
        name: 'Rows',
        fields: [{ id: 'name', type: 'text', label: 'Name' }],
      });
      await call(team.owner, 'POST', `/api/v1/registries/${registry.body.id}/access`, { team: true, access: 'write' });
      const world: World = { team, endpoint: endpoint.body, registry: registry.body.id, people, workflows: [], files: [], now: Date.now() };
      const history: string[] = [];
      // Some workflows to begin with.
      for (const number of [1, 3, 5]) {
        const pick = (from: readonly any[]) => from[number % Math.max(from.length, 1)];
        await acts.file?.(world, pick, number);
        await acts.create?.(world, pick, number);
      }
      for (const concurrent of rounds) {
        const answers = await Promise.all(
          concurrent.map(async ({ act, numbers }) => {
            let at = 0;
            const pick = (from: readonly any[]) => from[(numbers[at++ % numbers.length] ?? 0) % Math.max(from.length, 1)];
            return acts[act]?.(world, pick, numbers[0] ?? 0);
          }),
        );
        const done = concurrent.map(({ act }, at) => `${act} ${answers[at]?.status ?? '-'}`).join(' and ');
        history.push(done);
        for (const answer of answers) assert.ok((answer?.status ?? 200) < 500, `${done}: ${answer?.text}`);
        await check(world, history.slice(-6).join('; '));
      }
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 4), endOnFailure: true },
  );
});
