import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type pg from 'pg';
import { asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery } from '../../../test/harness.ts';
import { outcomeOrWait, untilBlocked } from '../../../test/signals.ts';
import { pdfDocument, signatures } from '../../../test/signatures.ts';

/* Locks of rows in use. A user who cannot see a row does not wait for its lock, and does not block its users. */

const tasks = '/api/v1/tasks';
const workflows = '/api/v1/workflows';
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});
const { call, made } = asking(() => chancery);

/** Runs `work` while another transaction holds the lock of a row. */
async function whileLocked(table: string, id: string, work: (other: pg.PoolClient) => Promise<void>): Promise<void> {
  const other = await chancery.pool.connect();
  try {
    await other.query('BEGIN');
    assert.equal((await other.query(`SELECT FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id])).rowCount, 1);
    await work(other);
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
}
const statusOrWait = (other: pg.PoolClient, answer: Promise<{ status: number }>) =>
  outcomeOrWait(
    other,
    answer.then(({ status }) => status),
  );

test('a caller waits for the lock of a task, workflow or batch only if they can see it', async () => {
  const team = await chancery.team();
  const [creator, assignee, other] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  const viewer = await chancery.user(team, { role: 'viewer' });
  const { id: documentId } = await chancery.document(creator);
  const steps = [{ id: 'a', type: 'task', assignees: [assignee.id] }];
  const flow = await made(creator, 'POST', `${workflows}/`, { name: 'W', documentId, steps });
  const draft = await made(creator, 'POST', `${workflows}/`, {
    name: 'W',
    documentId,
    steps: [{ id: 'a', type: 'task', assignees: ['role:member'] }],
  });
  const [ofFlow] = (await made(creator, 'POST', `${workflows}/${flow.id}/start`)).steps[0].taskIds;
  const lone = await made(creator, 'POST', tasks, { title: 'T', assignedTo: assignee.id });
  const signed = await pdfDocument(chancery, creator);
  const batch = await made(creator, 'POST', `${signatures}/bulk`, {
    title: 'All',
    documentId: signed.id,
    csv: 'email,name\na@example.org,A',
  });
  const acts = {
    [ofFlow]: [
      'workflow',
      flow.id,
      [
        ['POST', `${tasks}/${ofFlow}/complete`, {}],
        ['POST', `${tasks}/${ofFlow}/reassign`, { userId: other.id }],
      ],
    ],
    [`${ofFlow} alone`]: ['task', ofFlow, [['POST', `${tasks}/${ofFlow}/complete`, {}]]],
    lone: ['task', lone.id, [['POST', `${tasks}/${lone.id}/complete`, {}]]],
    flow: [
      'workflow',
      flow.id,
      [
        ['POST', `${workflows}/${flow.id}/comments`, { text: 'Hm' }],
        ['POST', `${workflows}/${flow.id}/pause`, {}],
        ['PUT', `${workflows}/${flow.id}`, { name: 'V' }],
      ],
    ],
    draft: [
      'workflow',
      draft.id,
      [
        ['POST', `${workflows}/${draft.id}/start`, undefined],
        ['DELETE', `${workflows}/${draft.id}`, undefined],
      ],
    ],
    'its document': [
      'document',
      documentId,
      [
        ['POST', `${tasks}/${ofFlow}/complete`, {}],
        ['POST', `${workflows}/${flow.id}/pause`, {}],
      ],
    ],
    batch: ['signature_batch', batch.id, [['POST', `${signatures}/bulk/${batch.id}/cancel`, undefined]]],
  } as const;
  for (const [what, [table, id, requests]] of Object.entries(acts))
    await whileLocked(table, id, async (lock) => {
      for (const by of [other, viewer])
        for (const [method, path, body] of requests) {
          const status = await statusOrWait(lock, call(by, method, path, body));
          assert.ok(status === 404 || (by === viewer && status === 403), `${what}: ${by.role} ${method} ${path}: ${status}`);
        }
    });
  const waiting: Promise<{ status: number }>[] = [];
  await whileLocked('workflow', flow.id, async (lock) => {
    waiting.push(
      call(assignee, 'POST', `${tasks}/${ofFlow}/complete`, {}),
      call(creator, 'POST', `${workflows}/${flow.id}/comments`, { text: 'Hm' }),
    );
    await untilBlocked(lock, 2);
  });
  await whileLocked('signature_batch', batch.id, async (lock) => {
    waiting.push(call(creator, 'POST', `${signatures}/bulk/${batch.id}/cancel`));
    await untilBlocked(lock);
  });
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ status }) => status),
    [200, 201, 200],
  );
});
