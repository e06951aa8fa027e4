import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { settingsOf, typedCommand } from '../../test/command-line.ts';
import { type Chancery, startChancery } from '../../test/harness.ts';

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

/** Runs the command while the service runs. */
async function jobs(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await typedCommand(['jobs', ...args], settingsOf(chancery));
  return { code, stdout, stderr };
}

const add = async (name: string, state: string, error: string | null = null) => {
  const [id, team] = [randomUUIDv7(), randomUUIDv7()];
  await chancery.pool.query(
    "INSERT INTO job (team_id, id, name, data, state, due_at, attempts, error) VALUES ($1, $2, $3, '{}', $4, now(), 3, $5)",
    [team, id, name, state, error],
  );
  return { id, team };
};
const stateOf = async (id: string) => (await chancery.pool.query('SELECT state, attempts FROM job WHERE id = $1', [id])).rows[0];

test('permanently failed jobs are listed with a one-line error and retried by id, by name or all', async () => {
  const export1 = await add('export', 'failed', 'no\nroom \u001b[2J');
  const export2 = await add('export', 'failed');
  const send = await add('send', 'failed');
  const going = await add('send', 'running');
  const list = await jobs('list');
  assert.equal(list.code, 0, list.stderr);
  assert.equal(list.stdout.trimEnd().split('\n').length, 3);
  assert.match(list.stdout, new RegExp(`^${export1.id}\texport\tfailed\t\\S+\tattempts 3\tteam ${export1.team}\tno room  ?\\[2J$`, 'm'));
  assert.ok(!list.stdout.includes('\u001b') && !list.stdout.includes(going.id));
  const [line] = (await jobs('list', '--state', 'running', '--json')).stdout.trim().split('\n');
  assert.deepEqual([JSON.parse(line ?? '').id, JSON.parse(line ?? '').team], [going.id, going.team]);

  assert.match((await jobs('retry', export1.id)).stdout, /^1 job is ready to run again/);
  assert.deepEqual(await stateOf(export1.id), { state: 'ready', attempts: 0 });
  assert.equal((await stateOf(export2.id)).state, 'failed');
  assert.match((await jobs('retry', '--job', 'export')).stdout, /^1 job /);
  assert.equal((await stateOf(send.id)).state, 'failed');
  assert.match((await jobs('retry', '--all')).stdout, /^1 job /);
  assert.deepEqual([await stateOf(send.id), (await stateOf(going.id)).state], [{ state: 'ready', attempts: 0 }, 'running']);
  const again = await jobs('retry', '--all');
  assert.deepEqual([again.code, again.stdout], [1, '']);
});

test('a wrong option prints the usage and exits with 2', async () => {
  for (const args of [
    [],
    ['list', '--state', 'odd'],
    ['list', '--limit', '0'],
    ['retry'],
    ['retry', 'x'],
    ['retry', '--all', '--job', 'x'],
  ]) {
    const { code, stderr } = await jobs(...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /^Usage: chancery jobs list/m);
  }
});
