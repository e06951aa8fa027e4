import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { after, test } from 'node:test';
import { newSecret, signedHeaders } from '../automation/webhooks/sending/signature.ts';

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts `webhooks listen` and waits until it listens. */
async function listen(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['packages/chancery/bin/chancery.js', 'webhooks', 'listen', '--port', '0', ...args], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  while (!/Listening on/.test(err)) await once(child.stderr, 'data');
  const url = /http:\S+/.exec(err)?.[0] ?? '';
  /** Ends the command. Returns its exit code, signal and output. */
  const end = async () => {
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'close');
    return { ended: [code, signal], out, err };
  };
  return { url, end };
}

const secret = newSecret();
const body = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'task.created', data: { title: '\u001b[2J evil \u202e' } }));
const signed = (more: object = {}) =>
  signedHeaders({ eventId: 'evt_1', eventType: 'task.created', body, secret, nowSeconds: Math.floor(Date.now() / 1_000), ...more });
const post = async (url: string, headers: Record<string, string>, sent: Buffer = body) =>
  (await fetch(`${url}hook`, { method: 'POST', headers, body: new Uint8Array(sent) })).status;

test('deliveries are verified, shown without control characters and acknowledged; repeats are marked', async () => {
  const { url, end } = await listen([], { WEBHOOK_SECRET: secret });
  assert.equal(await post(url, signed()), 204);
  assert.equal(await post(url, signed()), 204);
  assert.equal(await post(url, signed({ secret: newSecret() })), 401);
  assert.equal(await post(url, signed({ nowSeconds: 1 })), 401);
  assert.equal(await post(url, {}, Buffer.from('no json')), 401);
  const { ended, out } = await end();
  assert.match(out, /^✓ .*task\.created {2}evt_1 {2}\/hook {2}\d+ bytes\n/);
  assert.match(out, /✓ .*\(again\)/);
  assert.match(out, /✗ .*\n {2}signature_mismatch: /);
  assert.match(out, /timestamp_out_of_tolerance: /);
  assert.match(out, /missing_header: /);
  assert.ok(!out.includes('\u001b') && !out.includes('\u202e'));
  assert.ok(!out.includes(secret));
  assert.deepEqual(ended, [0, null]);
});

test('--json prints one line for each delivery, and --status sets the response', async () => {
  const { url, end } = await listen(['--json', '--status', '503', '--secret', secret]);
  assert.equal(await post(url, signed()), 503);
  const seen = JSON.parse((await end()).out);
  assert.deepEqual([seen.verified, seen.repeated, seen.event.id, seen.path, seen.bytes], [true, false, 'evt_1', '/hook', body.length]);
});

test('without a secret it warns that nothing is verified; a body above 2 MiB is rejected', async () => {
  const { url, end } = await listen([]);
  assert.equal(await post(url, signed()), 204);
  const status = await post(url, {}, Buffer.alloc(3_000_000)).catch(() => 413);
  assert.equal(status, 413);
  const { out, err } = await end();
  assert.match(out, /^\? /);
  assert.match(err, /nothing is verified/);
});

test('a wrong option ends the command with an error', async () => {
  for (const [args, expected] of [
    [['listen', '--port', 'x'], /--port must be a whole number/],
    [['listen', '--secret', 'mine'], /begins with whsec_/],
    [['nothing'], /Usage: chancery webhooks listen/],
  ] as [string[], RegExp][]) {
    const child = spawn(process.execPath, ['packages/chancery/bin/chancery.js', 'webhooks', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = await once(child, 'exit');
    assert.ok(code === 1 || code === 2);
    assert.match(said, expected);
  }
});
