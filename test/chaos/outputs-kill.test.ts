import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askingOutputs } from '../form-outputs.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { letJobsBeDue } from '../jobs.ts';
import { smallTemplate } from '../operations/small-template.ts';
import { type Spawned, spawnWorker } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

let chancery: Chancery;
let owner: User;
let worker: Omit<Spawned, 'url'> | undefined;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  ({ owner } = await chancery.team());
});
after(async () => {
  await worker?.kill();
  await chancery.stop();
});

const { ok, published, submitted, settled, read } = askingOutputs(
  () => chancery,
  () => owner,
);
const count = async (text: string, values: unknown[] = []) => Number((await chancery.pool.query(text, values)).rows[0].n);
const startWorker = () => {
  worker = spawnWorker({
    DATABASE_URL: chancery.databaseUrl,
    DATA_DIR: chancery.config.DATA_DIR,
    MASTER_KEY: chancery.masterKey,
  });
};

test('a worker killed between and in outputs: another worker creates the others, each once', { timeout: 600_000 }, async () => {
  const templateId = (await ok('POST', '/api/v1/document-templates/', smallTemplate())).id;
  const fields = [{ id: 'name', type: 'text', label: 'Name' }];
  const registryId = (await ok('POST', '/api/v1/registries/', { name: 'Parties', fields })).id;
  const values = { name: { from: 'company' } };
  const form = await published([
    { id: 'nda', make: 'document', templateId, values },
    { id: 'row', make: 'record', registryId, fields: values },
    { id: 'copy', make: 'document', templateId, values, needs: ['row'] },
    { id: 'last', make: 'record', registryId, fields: values, needs: ['copy'] },
  ]);
  // The worker waits for this lock inside the transaction of the second output.
  const holding = await chancery.pool.connect();
  try {
    await holding.query('BEGIN');
    await holding.query('SELECT FROM registry WHERE id = $1 FOR UPDATE', [registryId]);
    const id = await submitted(form);
    startWorker();
    const waiting = `SELECT count(*) AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'chancery%' AND wait_event_type = 'Lock'`;
    await eventually('the second output waits for the lock', async () => (await count(waiting)) > 0);
    assert.deepEqual(
      (await read(form, id)).outputs.map((one: any) => one.status),
      ['done', 'waiting', 'waiting', 'waiting'],
    );
    await worker?.kill();
    await holding.query('COMMIT');
    await eventually('the end of its transactions', async () => (await count(waiting)) === 0);
    await letJobsBeDue(chancery.pool, 'running');
    startWorker();
    const { outputs, status } = await settled(form, id);
    assert.deepEqual(
      [status, ...outputs.map((one: any) => [one.status, one.attempts])],
      ['received', ['done', 1], ['done', 1], ['done', 1], ['done', 1]],
    );
    assert.equal(await count('SELECT count(*) AS n FROM document_from_template WHERE source_id = $1', [id]), 2);
    assert.equal(await count('SELECT count(*) AS n FROM registry_record WHERE submission_id = $1', [id]), 2);
  } finally {
    holding.release();
  }
});
