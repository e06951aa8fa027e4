import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { newSecret, signedHeaders } from '../src/automation/webhooks/sending/signature.ts';
import { freePort } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

const secret = newSecret();
const body = Buffer.from('{"id":"evt_1","type":"task.created","data":{"data":{"title":"Größe ✓"}}}');
const now = () => Math.floor(Date.now() / 1_000);
const signed = (more: object = {}) =>
  signedHeaders({ eventId: 'evt_1', eventType: 'task.created', body, secret, nowSeconds: now(), ...more });

let folder: string;
const children: ChildProcess[] = [];
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'chancery-docs-'));
  const installed = join(folder, 'node_modules/@chancery/webhooks');
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', 'dist']) cpSync(join('packages/webhooks', file), join(installed, file), { recursive: true });
});
after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a code block of the documentation by the text after its three backticks. */
function block(heading: string): string {
  const text = new RegExp(`^\`\`\`${heading}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
    readFileSync('docs/tutorials/receive-a-webhook.md', 'utf8'),
  )?.[1];
  assert.ok(text, `docs/tutorials/receive-a-webhook.md has a block “${heading}”`);
  return text;
}

const has = (command: string, args: string[]) => spawnSync(command, args).status === 0;
const python = has('python3', ['--version']);
const openssl = has('sh', ['-c', 'openssl version']);

async function startReceiver(command: string, file: string, text: string): Promise<string> {
  writeFileSync(join(folder, file), text);
  const port = await freePort();
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: '1', PORT: String(port), WEBHOOK_SECRET: secret };
  children.push(spawn(command, [file], { cwd: folder, env: environment, stdio: ['ignore', 'ignore', 'inherit'] }));
  const url = `http://127.0.0.1:${port}/`;
  await eventually(`${file} listens`, () =>
    fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    ),
  );
  return url;
}

for (const [language, command, file, skip] of [
  ['ts', process.execPath, 'receiver.ts', false],
  ['python', 'python3', 'receiver.py', !python && 'this machine has no python3'],
] as const) {
  test(
    `the receiver in ${language} accepts genuine deliveries, also with the previous secret, and rejects all others`,
    { skip },
    async () => {
      const url = await startReceiver(command, file, block(`${language} receiver`));
      const post = async (headers: Record<string, string>, sent = body) =>
        (await fetch(url, { method: 'POST', headers, body: new Uint8Array(sent) })).status;
      assert.equal(await post(signed()), 204);
      assert.equal(await post(signed({ secret: newSecret(), previousSecret: secret })), 204);
      assert.equal(await post(signed({ secret: newSecret() })), 401);
      assert.equal(await post(signed(), Buffer.from(body.toString().replace('evt_1', 'evt_2'))), 401);
      assert.equal(await post(signed({ nowSeconds: now() - 400 })), 401);
      assert.equal(await post(signed({ nowSeconds: now() + 400 })), 401);
      assert.equal(await post({ ...signed(), 'x-service-timestamp': 'now' }), 401);
      assert.equal(await post({}), 401);
    },
  );
}

test(
  'the check with a shell and OpenSSL separates genuine deliveries from forged ones',
  { skip: !openssl && 'this machine has no openssl' },
  async () => {
    writeFileSync(join(folder, 'verify.sh'), block('sh verify'));
    writeFileSync(join(folder, 'body.json'), body);
    const run = async ({ timestamp, signature }: { timestamp: string; signature: string }) => {
      const work = promisify(execFile)('sh', ['verify.sh', timestamp, signature, 'body.json'], {
        cwd: folder,
        env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret },
      });
      return work.then(
        ({ stdout }) => stdout.trim(),
        (error: { code: number }) => error.code,
      );
    };
    const of = (headers: Record<string, string>) => ({
      timestamp: headers['x-service-timestamp'] ?? '',
      signature: headers['x-service-signature'] ?? '',
    });
    assert.equal(await run(of(signed())), 'verified');
    assert.equal(await run(of(signed({ secret: newSecret() }))), 1);
    assert.equal(await run(of(signed({ nowSeconds: now() - 400 }))), 1);
    assert.equal(await run({ ...of(signed()), timestamp: 'now' }), 1);
  },
);
