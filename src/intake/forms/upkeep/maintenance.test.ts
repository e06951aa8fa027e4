import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { isolationOf } from '../../../../test/isolation.ts';
import { askToSign, outToSign, pdfDocument } from '../../../../test/signatures.ts';
import { listeners } from '../../../listeners.ts';
import { doDueWork } from '../../../platform/jobs/due-jobs.ts';
import { createDiskStorage } from '../../../platform/storage/disk.ts';
import { dropLeftovers, retention } from './jobs.ts';
import { dueErasures } from './queries.ts';

const path = '/api/v1/interfaces';
const dayMs = 24 * 3_600_000;
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let work: ReturnType<typeof retention>;

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
  team = await chancery.team();
  creator = await chancery.user(team);
  const storage = await createDiskStorage({ folder: join(chancery.config.DATA_DIR, 'files') });
  work = retention({ storage, issuedDocuments: { withdraw: async () => undefined }, bookings: { erase: async () => 0 } });
});
after(() => chancery.stop());

const ok = async (by: User, method: string, at: string, body?: unknown) => {
  const answer = await chancery.call(method, `${path}/${at}`, { token: by.token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const query = async (text: string, ...values: unknown[]) => (await chancery.pool.query(text, values)).rows;
async function formOf(config: object, by: User = creator): Promise<{ id: string; publicToken: string }> {
  const { id } = await ok(by, 'POST', '', { title: 'Intake', type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }], config });
  return ok(by, 'POST', `${id}/publish`, { revision: 1 });
}
/** Creates a submission of a given age in days. */
async function submitted({ publicToken }: { publicToken: string }, days: number): Promise<string> {
  const answer = await chancery.call('POST', `${path}/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
  assert.equal(answer.status, 200, answer.text);
  await query("UPDATE submission SET created_at = now() - $2 * interval '1 day' WHERE id = $1", answer.body.submissionId, days);
  return answer.body.submissionId;
}
const pass = (now = new Date()) => doDueWork({ database: chancery.database, listeners, isolation: isolationOf(chancery) }, work, now);
const shelfOf = async (id: string) => {
  const [row] = await query('SELECT shelf, erased_for, erased_by_type FROM submission WHERE id = $1', id);
  return [row.shelf, row.erased_for, row.erased_by_type].filter((part) => part !== null).join(' ');
};

test('answers are erased after the retention period of their form, and counts stay', async () => {
  const [form, forever] = [await formOf({ retainDays: 30 }), await formOf({})];
  const ages = await Promise.all([submitted(form, 31), submitted(form, 29), submitted(forever, 400)]);
  await pass();
  assert.deepEqual(await Promise.all(ages.map(shelfOf)), ['erased retention system', 'received', 'received']);
  const [count] = await query('SELECT taken::int FROM interface_count WHERE interface_id = $1', form.id);
  assert.equal(count.taken, 2);
  const [entry] = await query("SELECT actor_type, data FROM audit_entry WHERE type = 'submission.erased' AND target_id = $1", ages[0]);
  assert.deepEqual(entry, { actor_type: 'system', data: { interfaceId: form.id, reason: 'retention' } });
  assert.deepEqual(await query('SELECT FROM job_failure'), []);
});

test('a submission with a running workflow is postponed by a day and does not delay others', async () => {
  const form = await formOf({ retainDays: 30, createsDocument: true, startsTemplate: 'nda-approval' });
  const id = await submitted(form, 40);
  const plain = await submitted(await formOf({ retainDays: 30 }), 35);
  await pass();
  assert.deepEqual([await shelfOf(id), await shelfOf(plain)], ['received', 'erased retention system']);
  assert.deepEqual(await query('SELECT FROM job_failure'), [], 'a postponement is not a failure');
  const [{ result_id: workflow }] = await query(
    "SELECT result_id FROM submission_effect WHERE kind = 'workflow' AND submission_id = $1",
    id,
  );
  await chancery.call('POST', `/api/v1/workflows/${workflow}/cancel`, { token: creator.token, body: {} });
  await pass();
  assert.equal(await shelfOf(id), 'received', 'it is due again a day later');
  await pass(new Date(Date.now() + dayMs + 60_000));
  assert.equal(await shelfOf(id), 'erased retention system');
});

test('a submission with a pending signature is postponed without a failure', async () => {
  const form = await formOf({ retainDays: 30, createsDocument: true });
  const id = await submitted(form, 40);
  // Background work prepares files for signing, and it does not run here.
  const document = await pdfDocument(chancery, creator);
  await query(
    "UPDATE submission_effect SET status = 'done', result_id = $2 WHERE kind = 'document' AND submission_id = $1",
    id,
    document.id,
  );
  const requested = await askToSign(chancery, creator, { documentId: document.id });
  await outToSign(chancery, requested.id);
  await pass();
  assert.equal(await shelfOf(id), 'received');
  assert.deepEqual(await query('SELECT FROM job_failure'), []);
  const ended = await chancery.call('POST', `/api/v1/signatures/${requested.id}/void`, {
    token: creator.token,
    body: { reason: 'Not needed' },
  });
  assert.ok(ended.status < 300, ended.text);
  await pass(new Date(Date.now() + dayMs + 60_000));
  assert.equal(await shelfOf(id), 'erased retention system');
});

test('answers in a folder under a legal hold outlast their retention period, and are erased the day after the hold is lifted', async () => {
  const folder = await chancery.folder(creator);
  const form = await formOf({ retainDays: 30, folderId: folder.id });
  const id = await submitted(form, 40);
  const hold = async (at: string, body: object) => {
    const answer = await chancery.call('POST', `/api/v1/smartdoc/holds/${at}`, { token: team.owner.token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const placed = await hold('', { folderId: folder.id, reason: 'Litigation' });
  await pass();
  assert.equal(await shelfOf(id), 'received');
  assert.deepEqual(await query('SELECT FROM job_failure'), [], 'a postponement is not a failure');
  await hold(`${placed.id}/lift`, { reason: 'Settled' });
  await pass(new Date(Date.now() + dayMs + 60_000));
  assert.equal(await shelfOf(id), 'erased retention system');
});

test('answers in a matter outlast the retention period of their form until the matter need not be kept', async () => {
  const call = async (method: string, at: string, body: object) => {
    const answer = await chancery.call(method, `/api/v1/matters/${at}`, { token: creator.token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const { id: matterId } = await call('POST', '', { name: 'Archive' });
  const { id: folderId } = await chancery.folder(creator, { matterId });
  const id = await submitted(await formOf({ retainDays: 30, folderId }), 40);
  await call('POST', `${matterId}/close`, { retainUntil: '9999-12-31' });
  await pass();
  assert.equal(await shelfOf(id), 'received');
  await query("UPDATE matter SET retain_until = '2020-01-01' WHERE id = $1", matterId);
  await pass();
  assert.equal(await shelfOf(id), 'erased retention system');
});

test('a longer retention period also applies to existing answers', async () => {
  const form = await formOf({ retainDays: 30 });
  const id = await submitted(form, 31);
  await ok(creator, 'PUT', form.id, { config: { retainDays: 90 } });
  await ok(creator, 'POST', `${form.id}/publish`, { revision: 2 });
  await pass();
  assert.equal(await shelfOf(id), 'received');
});

test('submissions of a deleted form are erased a month later', async () => {
  const form = await formOf({});
  const id = await submitted(form, 0);
  await ok(creator, 'DELETE', form.id);
  await pass();
  assert.equal(await shelfOf(id), 'received');
  await query("UPDATE interface SET deleted_at = now() - interval '31 days' WHERE id = $1", form.id);
  await pass();
  assert.equal(await shelfOf(id), 'erased deletion system');
});

test('an erasure late in a pass has the time of the erasure and not the start of the pass', async () => {
  const form = await formOf({ retainDays: 30 });
  const [first, second] = [await submitted(form, 40), await submitted(form, 35)];
  const lock = await chancery.pool.connect();
  await lock.query('BEGIN');
  await lock.query('SELECT FROM submission WHERE id = $1 FOR UPDATE', [first]);
  const passing = pass();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const [{ released }] = (await lock.query('SELECT clock_timestamp() AS released')).rows;
  await lock.query('ROLLBACK');
  lock.release();
  await passing;
  const [row] = await query(
    `SELECT s.erased_at, s.updated_at, e.at FROM submission s JOIN audit_entry e ON e.target_id = s.id::text AND e.type = 'submission.erased' WHERE s.id = $1`,
    second,
  );
  for (const at of Object.values<Date>(row)) assert.ok(at.getTime() >= released.getTime() - 100, at.toISOString());
});

test('a team with many due erasures gets a share of a pass, and so do the others', async () => {
  const [many, few] = [await chancery.team(), await chancery.team()];
  for (const [of, count] of [
    [many, 500],
    [few, 3],
  ] as const) {
    const form = await formOf({ retainDays: 1 }, of.owner);
    await query(
      `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, created_at, updated_at)
       SELECT $1, gen_random_uuid(), $2, 1, 'public', 'received', '{}', now() - interval '10 days' - n * interval '1 second', now()
       FROM generate_series(1, $3::int) n`,
      of.id,
      form.id,
      count,
    );
  }
  const due = await chancery.database.asSystem('look', (tx) => tx.all(dueErasures, { now: new Date(), limit: 500, ofEachTeam: 25 }));
  const of = (one: TestTeam) => due.filter((row) => row.team === one.id).length;
  assert.deepEqual([of(many), of(few)], [25, 3]);
});

test('expired sessions, used proofs, drafts and links are deleted; valid ones stay', async () => {
  const form = await formOf({});
  const make = async (end: string) => {
    const hash = randomBytes(32);
    await query(
      `WITH made AS (
         INSERT INTO submission_session (team_id, id, interface_id, link_id, hash, created_at, expires_at)
         VALUES ($1, gen_random_uuid(), $2, gen_random_uuid(), $3, now(), now() + $4::interval) RETURNING id
       ) INSERT INTO idempotent_response (team_id, actor_id, key, fingerprint, response) SELECT $1, id, 'key', '', '' FROM made`,
      team.id,
      form.id,
      hash,
      end,
    );
    await query('INSERT INTO submission_proof (team_id, id, expires_at) VALUES ($1, $2, now() + $3::interval)', team.id, hash, end);
    await query(
      `INSERT INTO submission_draft (team_id, id, interface_id, hash, version, data, created_at, updated_at, expires_at)
       VALUES ($1, gen_random_uuid(), $2, $3, 1, '{}', now(), now(), now() + $4::interval)`,
      team.id,
      form.id,
      hash,
      end,
    );
  };
  for (const end of ['-1 minute', '-2 days', '1 hour']) await make(end);
  await ok(creator, 'POST', `${form.id}/rotate-token`, { channel: 'public' });
  const links = () => query('SELECT channel FROM interface_link WHERE interface_id = $1', form.id);
  const left = async () =>
    Promise.all(
      ['session', 'proof', 'draft'].map(async (what) => {
        const [{ n }] = await query(`SELECT count(*)::int AS n FROM submission_${what} WHERE team_id = $1`, team.id);
        return n;
      }),
    );
  await dropLeftovers(chancery.database, new Date());
  assert.deepEqual([await left(), (await links()).length], [[1, 1, 1], 3], 'a retired link stays a day for its sessions');
  const kept = await query(
    'SELECT s.expires_at > now() AS lasts FROM idempotent_response a LEFT JOIN submission_session s ON s.id = a.actor_id WHERE a.team_id = $1 AND a.key = $2',
    team.id,
    'key',
  );
  assert.deepEqual(kept, [{ lasts: true }], 'stored responses are deleted with the session');
  await query(
    "UPDATE interface_link SET retired_at = now() - interval '25 hours' WHERE retired_at IS NOT NULL AND interface_id = $1",
    form.id,
  );
  await dropLeftovers(chancery.database, new Date());
  assert.equal((await links()).length, 2);
});
