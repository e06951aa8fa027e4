import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { maxListBytes } from '../../platform/database/json-page.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
});

const get = (from: string, by = owner) => chancery.call('GET', from, { token: by.token, unchecked: true });
const post = (to: string, body?: unknown) => chancery.call('POST', to, { token: owner.token, ...(body === undefined ? {} : { body }) });
/** The path and query of the next page. */
const next = (link: string | null) => /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(link ?? '')?.[1];

/** Inserts workflows of three steps with a task each; every tenth has a task of the member. */
async function fill(of: TestTeam, count: number): Promise<void> {
  await chancery.pool.query(
    `WITH w AS (
       INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id, status, updated_at, due_at)
       SELECT $1, gen_random_uuid(), 'W ' || n, 'DMS-1', $2, $2, 'active', now() - n * interval '1 second', now() + (n % 7) * interval '1 day'
       FROM generate_series(1, $3) n RETURNING id
     ), numbered AS (SELECT id, row_number() OVER () AS n FROM w),
     s AS (
       INSERT INTO workflow_step (team_id, workflow_id, id, position, type, mode, depends_on)
       SELECT $1, id, 's' || p, p, 'task', 'all', '{}' FROM w, generate_series(1, 3) p
     )
     INSERT INTO task (team_id, id, title, created_by, owner_id, workflow_id, step_id, assigned_to, document_id, updated_at)
     SELECT $1, gen_random_uuid(), 'T', $2, $2, id, 's' || p, CASE WHEN n % 10 = 0 THEN $4::uuid ELSE $2::uuid END, 'DMS-1', now()
     FROM numbered, generate_series(1, 3) p`,
    [of.id, of.owner.id, count, of === team ? member.id : of.owner.id],
  );
}

test('a list has at most 4 MiB per response and links to the rest, and no page reads large rows beyond its end', async () => {
  const large = await chancery.team();
  await chancery.pool.query(
    `WITH w AS (
       INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id, size)
       SELECT $1, gen_random_uuid(), 'Large', 'X', $2, $2, 1000000 FROM generate_series(1, 15) RETURNING id
     )
     INSERT INTO workflow_step (team_id, workflow_id, id, position, type, mode, depends_on, config)
     SELECT $1, id, 'a', 0, 'task', 'all', '{}', jsonb_build_object('note', repeat('x', 1000000)) FROM w`,
    [large.id, large.owner.id],
  );
  const seen = new Set<string>();
  let pages = 0;
  for (let at: string | undefined = `${path}/`; at !== undefined; pages += 1) {
    const answer = await get(at, large.owner);
    assert.equal(answer.status, 200, answer.text.slice(0, 300));
    assert.ok(answer.text.length <= maxListBytes + 2, `${answer.text.length} bytes`);
    for (const { id } of answer.body) seen.add(id);
    at = next(answer.headers.get('link'));
  }
  assert.deepEqual([seen.size, pages], [15, 4]);
  // Ten concurrent requests: each holds one page in memory, and not the 15 workflows of the team.
  const answers = await Promise.all(Array.from({ length: 10 }, () => get(`${path}/?limit=2`, large.owner)));
  assert.ok(answers.every(({ body }) => body.length === 2));
});

test('a list shows workflows and tasks as their own operations do', async () => {
  const { body } = await post(`${path}/`, {
    name: 'Whole',
    documentId: 'DMS-77',
    dueDate: '2030-01-01T00:00:00Z',
    assignedTo: member.id,
    steps: [
      { id: 'a', type: 'task', name: 'A', description: 'First', assignees: [owner.id], dueInDays: 2, config: { 'x-own': { empty: null } } },
      { id: 'b', type: 'review', config: { onReject: 'a' } },
    ],
  });
  await post(`${path}/${body.id}/start`);
  const [listed] = (await get(`${path}/document/DMS-77`)).body;
  assert.deepEqual(listed, (await get(`${path}/${body.id}`)).body);
  const [task] = (await get(`/api/v1/tasks?workflowId=${body.id}`)).body;
  await post(`/api/v1/tasks/${task.id}/complete`, { comment: 'Done' });
  const [done] = (await get(`/api/v1/tasks?documentId=DMS-77&status=completed`)).body;
  assert.deepEqual(done, (await get(`/api/v1/tasks/${task.id}`)).body);
  await post(`/api/v1/tasks/${task.id}/comments`, { text: 'Said' });
  assert.equal((await get(`/api/v1/tasks/${task.id}/comments`)).body[0].text, 'Said');
});

test('lists are sorted as requested, page by page, and filtered by the time of change', async () => {
  const small = await chancery.team();
  await fill(small, 12);
  for (const [list, count] of [
    [`${path}/`, 12],
    ['/api/v1/tasks', 36],
  ] as const) {
    for (const [sort, key] of [
      ['createdAt', 'id'],
      ['-createdAt', 'id'],
      ['updatedAt', 'updatedAt'],
      ['-updatedAt', 'updatedAt'],
      ['dueDate', 'dueDate'],
      ['-dueDate', 'dueDate'],
    ] as const) {
      const values: string[] = [];
      for (let at: string | undefined = `${list}?sort=${sort}&limit=5`; at !== undefined;) {
        const answer = await get(at, small.owner);
        values.push(...answer.body.map((one: any) => one[key] ?? 'never'));
        at = next(answer.headers.get('link'));
      }
      assert.equal(values.length, count, `${list} ${sort}`);
      const ordered = values.toSorted();
      assert.deepEqual(values, sort.startsWith('-') ? ordered.toReversed() : ordered, `${list} ${sort}`);
    }
  }
  const newest = (await get(`${path}/?sort=-updatedAt&limit=5`, small.owner)).body.map((one: any) => one.updatedAt);
  const changed = (await get(`${path}/?updatedSince=${newest[4]}&sort=-updatedAt`, small.owner)).body;
  assert.deepEqual(
    changed.map((one: any) => one.updatedAt),
    newest,
  );
  assert.equal((await get(`${path}/?updatedSince=yesterday`, small.owner)).status, 400);
  assert.equal((await get(`${path}/?sort=name`, small.owner)).status, 400);
  const forged = Buffer.from(JSON.stringify(['never', small.id])).toString('base64url');
  assert.equal((await get(`${path}/?sort=dueDate&cursor=${forged}`, small.owner)).status, 400);
});

test('`waitingFor=me` lists the workflows with an open task of the caller, or one to claim for a group, and no paused one', async () => {
  const { id: group } = (await post('/api/v1/groups/', { name: 'Counsel' })).body;
  await post(`/api/v1/groups/${group}/members`, { userId: member.id });
  const started = async (step: object) => {
    const { body } = await post(`${path}/`, { name: 'Wait', documentId: 'DMS-9', steps: [{ id: 'a', type: 'task', ...step }] });
    assert.equal((await post(`${path}/${body.id}/start`)).status, 200);
    return body.id as string;
  };
  const [own, ofGroup, paused] = [
    await started({ assignees: [member.id] }),
    await started({ groups: [group] }),
    await started({ assignees: [member.id] }),
  ];
  await started({ assignees: [owner.id] });
  await post(`${path}/${paused}/pause`, {});
  const waiting = async () => (await get(`${path}/?waitingFor=me&q=Wait`, member)).body.map(({ id }: any) => id);
  assert.deepEqual(await waiting(), [own, ofGroup]);
  const [task] = (await get(`/api/v1/tasks?workflowId=${own}`, member)).body;
  await chancery.call('POST', `/api/v1/tasks/${task.id}/complete`, { token: member.token, body: {} });
  assert.deepEqual(await waiting(), [ofGroup]);
  const { token } = await chancery.client(owner);
  const { status, body } = await chancery.call('GET', `${path}/?waitingFor=me`, { token });
  assert.deepEqual([status, body.code], [403, 'person_required']);
});
