import { randomUUIDv7 } from 'node:crypto';
import { act, rows, seeded, thing } from '../access/rows.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows and actions of tasks for the walks. */

const tasks = '/api/v1/tasks';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const taskAccess = rows(tasks, {
  'GET /': thing('task', 's s s · · s u s u s u 403'),
  'POST /': thing('task', 'y y y · · · y · 403 y y 403', ({ people }) => ({ title: 'Walked', assignedTo: people.assignee.id })),
  // Allowed are callers who can give access to the document by a task. Its assignees cannot, and for all others the document is hidden.
  'POST / about a document of the creator, for another': thing('documentOfTask', 'y y y y y 403 y 403 403 y y 403', (world, { id }) => ({
    title: 'Look at it',
    documentId: id,
    assignedTo: world.people.member.id,
  })),
  'GET /{id}': thing('task', 'y y y · · y 404 y 404 y 404 403'),
  'GET /{id}/document': thing('taskOfDocument', 'y y y · · y 404 y 404 y 404 403'),
  'GET /{id}/document of a completed task': thing('completedTask', 'y y y · · y 404 y 404 y 404 403'),
  'GET /{id}/document behind a barrier': thing('approvalBehindBarrier', '404 404 y 404 404 404 404 · 404 404 404 403'),
  'GET /{id}/document/content': thing('taskOfDocument', 'y y y · · y 404 y 404 y 404 403'),
  'GET /{id}/document/content of a completed task': thing('completedTask', 'y y y · · y 404 y 404 y 404 403'),
  'GET /{id}/document/content behind a barrier': thing('approvalBehindBarrier', '404 404 y 404 404 404 404 · 404 404 404 403'),
  'GET /{id} of a group': thing('groupTask', 'y y y · · y 404 y 404 y 404 403'),
  'POST /{id}/claim': thing('groupTask', '403 403 403 · · y 404 y 404 403 404 403'),
  'POST /{id}/release': thing('claimedTask', 'y y 403 · · y 404 403 404 403 404 403'),
  'POST /{id}/complete of a group': thing('groupTask', '403 403 403 · · 403 404 403 404 403 404 403', () => ({})),
  'POST /{id}/complete of a group, claimed': thing('claimedTask', '403 403 403 · · y 404 403 404 403 404 403', () => ({})),
  'POST /{id}/complete': thing('task', '403 403 403 · · y 404 y 404 403 404 403', () => ({})),
  'POST /{id}/complete of an approval': thing('approval', '403 403 403 404 404 y 404 · 404 403 404 403', () => ({ outcome: 'approved' })),
  'POST /{id}/complete of nobody’s task': thing('nobodysTask', 'y y y · · · 404 · 404 y 404 403', () => ({})),
  'POST /{id}/complete of nobody’s task in a matter': thing('nobodysTaskInMatter', 'y y y 403 403 · 404 403 404 y 403 403', () => ({})),
  'POST /{id}/signature': thing('signature', '403 403 403 404 404 y 404 · 404 403 404 403', () => ({ outcome: 'signed_elsewhere' })),
  'POST /{id}/reassign': thing('task', 'y y y · · y 404 403 403 403 404 403', ({ people }) => ({ userId: people.member.id })),
  'POST /{id}/reassign of an approval': thing('approval', 'y y 403 404 404 y 404 · 403 403 404 403', ({ people }) => ({
    userId: people.member.id,
    reason: 'On leave',
  })),
  'GET /{id} behind a barrier': thing('approvalBehindBarrier', '404 404 y 404 404 404 404 · 404 404 404 403'),
  'POST /{id}/complete behind a barrier': thing('approvalBehindBarrier', '404 404 403 404 404 404 404 · 404 404 404 403', () => ({
    outcome: 'approved',
  })),
  'POST /{id}/reassign behind a barrier': thing('approvalBehindBarrier', '404 404 403 404 404 404 404 · 403 404 404 403', ({ people }) => ({
    userId: people.reader.id,
  })),
  'POST /complete': thing('task', '403 403 403 · · y 404 y 404 403 404 403', (_, { id }) => ({ items: [{ id }] })),
  'POST /complete of an approval': thing('approval', '403 403 403 404 404 y 404 · 404 403 404 403', (_, { id }) => ({
    items: [{ id, outcome: 'approved' }],
  })),
  'POST /reassign': thing('task', 'y y y · · y 404 403 403 403 404 403', ({ people }, { id }) => ({
    items: [{ id, userId: people.member.id }],
  })),
  'GET /delegations': seeded('y y y · · · y · y 403 y 403'),
  'GET /delegations/{userId}': seeded('y y 404 · · · 404 · 404 403 404 403'),
  'PUT /delegations/{userId}': thing('colleague', 'y y 403 · · · 403 · 403 403 403 403', ({ people }) => ({
    toUserId: people.creator.id,
    until: new Date(Date.now() + 86_400_000).toISOString(),
    kinds: ['walked'],
  })),
  'DELETE /delegations/{userId}': act('y y 403 · · · y · 403 403 403 403'),
  'GET /{id}/comments': thing('task', 'y y y · · y 404 y 404 y 404 403'),
  'POST /{id}/comments': thing('task', 'y y y · · y 404 403 403 y 404 403', () => ({ text: 'Seen' })),
});

const task = (world: ActWorld) => world.made('POST', `${tasks}/`, { title: 'A task', assignedTo: world.owner.id });

const groupTask = async (world: ActWorld) => {
  const { id: groupId } = await world.made('POST', '/api/v1/groups/', { name: `Group ${randomUUIDv7()}` });
  await world.made('POST', `/api/v1/groups/${groupId}/members`, { userId: world.owner.id });
  return world.made('POST', `${tasks}/`, { title: 'A task', groupId });
};
const claimedTask = async (world: ActWorld) => {
  const { id } = await groupTask(world);
  return world.made('POST', `${tasks}/${id}/claim`);
};

const standIn = ({ made, member, owner }: ActWorld) =>
  made('PUT', `${tasks}/delegations/${member.id}`, {
    toUserId: owner.id,
    until: new Date(Date.now() + 86_400_000).toISOString(),
    kinds: ['walked'],
  });

const signatureTask = async (world: ActWorld) => {
  const steps = [{ id: 'sign', type: 'signature', assignedTo: world.owner.id }];
  const { id } = await world.made('POST', '/api/v1/workflows/', { name: 'To sign', documentId: 'DMS-1', steps });
  const started = await world.made('POST', `/api/v1/workflows/${id}/start`);
  return { id: started.steps[0].taskIds[0] };
};

/** The journal entries of each operation that changes something, and its call. */
export const taskActs: Acts = {
  [`POST ${tasks}/`]: alone('POST', `${tasks}/`, { title: 'Walked' }, 'task.created'),
  [`PUT ${tasks}/delegations/{userId}`]: on(
    async () => undefined,
    'PUT',
    () => `${tasks}/delegations/me`,
    ({ member }: ActWorld) => ({ toUserId: member.id, until: new Date(Date.now() + 86_400_000).toISOString(), kinds: ['walked'] }),
    'task.delegation_set',
  ),
  [`DELETE ${tasks}/delegations/{userId}`]: on(
    standIn,
    'DELETE',
    ({ userId }) => `${tasks}/delegations/${userId}`,
    undefined,
    'task.delegation_ended',
  ),
  [`POST ${tasks}/{id}/complete`]: on(task, 'POST', ({ id }) => `${tasks}/${id}/complete`, { outcome: 'completed' }, 'task.completed'),
  [`POST ${tasks}/{id}/signature`]: on(
    signatureTask,
    'POST',
    ({ id }) => `${tasks}/${id}/signature`,
    { outcome: 'signed_elsewhere' },
    'task.completed',
    'workflow.completed',
    'workflow.step.completed',
  ),
  [`POST ${tasks}/{id}/claim`]: on(groupTask, 'POST', ({ id }) => `${tasks}/${id}/claim`, undefined, 'task.claimed'),
  [`POST ${tasks}/{id}/release`]: on(claimedTask, 'POST', ({ id }) => `${tasks}/${id}/release`, undefined, 'task.released'),
  [`POST ${tasks}/{id}/reassign`]: on(
    task,
    'POST',
    ({ id }) => `${tasks}/${id}/reassign`,
    ({ member }: ActWorld) => ({ userId: member.id }),
    'task.assigned',
  ),
  [`POST ${tasks}/complete`]: {
    entries: ['task.completed', 'task.completed'],
    async prepare(world) {
      const items = [await task(world), await task(world)].map(({ id }) => ({ id }));
      return () => world.send('POST', `${tasks}/complete`, { items });
    },
  },
  [`POST ${tasks}/reassign`]: {
    entries: ['task.assigned', 'task.assigned'],
    async prepare(world) {
      const items = [await task(world), await task(world)].map(({ id }) => ({ id, userId: world.member.id }));
      return () => world.send('POST', `${tasks}/reassign`, { items });
    },
  },
  [`POST ${tasks}/{id}/comments`]: on(task, 'POST', ({ id }) => `${tasks}/${id}/comments`, { text: 'Seen' }, 'task.commented'),
};
