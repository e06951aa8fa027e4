import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { readLogKeys, verifyExport } from '../evidence/verify-export.ts';
import { verifyJournal } from '../evidence/verify-jobs.ts';

/* A team that came from another database brings its entries with their tree. */

const path = '/api/v1/security/audit';
let chancery: Chancery;
let team: TestTeam;
/** An entry of the earlier tree, and the checkpoint of that tree. */
let entry: string;
let checkpoint: string;

const read = (rest: string) => chancery.call('GET', `${path}${rest}`, { token: team.owner.token });
const integrated = () =>
  eventually('entries are integrated', async () => {
    const { rowCount } = await chancery.pool.query('SELECT FROM audit_entry WHERE seq IS NULL LIMIT 1');
    return rowCount === 0;
  });

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { AUDIT_ORIGIN: 'audit.example/log' } });
  team = await chancery.team();
  const worker = await chancery.node('worker');
  await Promise.all(Array.from({ length: 5 }, () => chancery.folder(team.owner)));
  await integrated();
  await worker.stop();
  checkpoint = (await read('/checkpoint')).body.checkpoint;
  entry = (await read('?type=folder.created&limit=1')).body.events[0].id;
  for (const table of ['audit_entry', 'audit_tile', 'audit_checkpoint', 'audit_log'])
    await chancery.pool.query(`UPDATE ${table} SET log_id = 2`);
  await chancery.pool.query('UPDATE audit_log SET lease_owner = NULL; INSERT INTO audit_log (log_id) VALUES (1)');
  await chancery.node('worker');
  await chancery.folder(team.owner);
  await integrated();
});
after(() => chancery.stop());

test('an entry of the earlier tree keeps its proof, and a later one is proven by the tree of this service', async () => {
  const earlier = await read(`/${entry}/proof`);
  assert.deepEqual([earlier.status, earlier.body.checkpoint], [200, checkpoint]);
  const [{ id }] = (await read('?type=folder.created&limit=1')).body.events;
  const later = await eventually('a proof', async () => {
    const answer = await read(`/${id}/proof`);
    return answer.status === 200 && answer.body;
  });
  assert.notEqual(later.checkpoint, checkpoint);
  assert.ok(later.record.number > earlier.body.record.number, 'the numbers of the team go on');
});

test('an export has the entries of both trees, and names the tree of each', async () => {
  const { text } = await read('/export');
  const lines = text.trimEnd().split('\n');
  const named = lines.slice(1, -1).map((line) => JSON.parse(line).log);
  assert.deepEqual(new Set(named), new Set([2, 1]));
  const keys = readLogKeys(JSON.stringify((await chancery.call('GET', '/.well-known/witness-jwks.json')).body));
  const verify = (changed: string[]) => verifyExport(Readable.from(changed), { keys, witnesses: [] });
  const verdict = await verify(lines);
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.entries, named.length);
  const exchanged = JSON.stringify({ ...JSON.parse(lines[1] ?? ''), log: 1 });
  assert.ok(!(await verify(lines.with(1, exchanged))).ok, 'an entry is proven by its own tree only');
});

test('the tree of this service verifies beside the other', async () => {
  const keys = readLogKeys(JSON.stringify((await chancery.call('GET', '/.well-known/witness-jwks.json')).body));
  const verdict = await verifyJournal(chancery.database, keys);
  assert.ok(verdict.ok, JSON.stringify(verdict));
});
