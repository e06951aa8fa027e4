import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { typedCommand } from './command-line.ts';
import { buildRelease, releases, restoreRelease, withoutSources } from './releases.ts';
import { signUp } from './sign-up.ts';
import { type Spawned, spawnService } from './spawned.ts';

/** Requests that a client repeats all the time: a write whose result must stay, and reads of it and of lists. */
class Load {
  readonly failures: string[] = [];
  readonly acknowledged: string[] = [];
  readonly #token: string;
  readonly #clients: Promise<void>[];
  #nodes: Spawned[];
  #place = 0;
  #made = 0;
  #isOver = false;
  #requests = new Map<Spawned, number>();

  constructor(token: string, nodes: Spawned[], clients: number) {
    this.#token = token;
    this.#nodes = nodes;
    this.#clients = Array.from({ length: clients }, () => this.#client());
  }

  /** Sends requests to these nodes from now on, as a proxy does. */
  balance(nodes: Spawned[]): void {
    this.#nodes = nodes;
  }

  /** Waits until each current node has answered this number of further requests. */
  async requests(count: number): Promise<void> {
    const from = new Map(this.#nodes.map((node) => [node, this.#requests.get(node) ?? 0]));
    const isDone = () => [...from].every(([node, before]) => (this.#requests.get(node) ?? 0) >= before + count);
    while (!isDone() && this.failures.length === 0) await sleep(20);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #client(): Promise<void> {
    while (!this.#isOver) {
      const made = await this.send('POST', '/api/v1/smartdoc/folders/', { name: `Made under load ${(this.#made += 1)}` });
      if (made) {
        this.acknowledged.push(made.id);
        await this.send('GET', `/api/v1/smartdoc/folders/${made.id}`);
      }
      await this.send('POST', '/api/v1/tasks/', { title: 'Made under load' });
      for (const list of ['smartdoc/folders/', 'smartdoc/documents/', 'tasks/', 'inbox', 'workflows/', 'signatures/'])
        await this.send('GET', `/api/v1/${list}`);
    }
  }

  /** Sends a request to the next node. Records an answer of 500 or above and a lost connection. */
  async send(method: string, path: string, body?: object): Promise<any> {
    const node = this.#nodes[this.#place++ % this.#nodes.length];
    if (!node) return undefined;
    try {
      const answer = await fetch(`${node.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      if (!answer.ok) this.failures.push(`${method} ${path}: ${answer.status} ${text}`);
      this.#requests.set(node, (this.#requests.get(node) ?? 0) + 1);
      return answer.ok ? JSON.parse(text) : undefined;
    } catch (error) {
      this.failures.push(`${method} ${path}: ${String(error)}`);
      return undefined;
    }
  }
}

/** Tables whose rows only their erasure deletes. */
const durable = [
  'person',
  'account',
  'folder',
  'document',
  'document_version',
  'task',
  'workflow',
  'interface',
  'signature_request',
  'audit_entry',
];

/** Runs a command of a version in its folder, and returns its output. */
function earlier(root: string, settings: Record<string, string>, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['packages/chancery/bin/chancery.js', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1', ...settings },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

for (const release of releases())
  describe(`from ${release.version}`, { skip: withoutSources(release) }, () => {
    test('an upgrade under load fails no request and loses nothing', { timeout: 900_000 }, async (t) => {
      const root = buildRelease(release);
      const restored = await restoreRelease(release);
      const nodes: Spawned[] = [];
      t.after(async () => {
        await Promise.all(nodes.map((node) => node.kill()));
        await restored.drop();
      });
      const { settings, pool } = restored;
      const counts = async () =>
        Promise.all(durable.map(async (table) => Number((await pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count)));
      const before = await counts();
      const own = { ...settings, MIGRATE_AT_START: 'false' };
      const start = async (folder = '.') => {
        const node = await spawnService(own, [], folder);
        nodes.push(node);
        return node;
      };

      const [first, second] = [await start(root), await start(root)];
      assert.equal(earlier(root, own, 'migrate', '--plan'), 'The schema is up to date.\n', 'the version before knows no later migration');
      earlier(root, own, 'restore', '--release');
      const load = new Load(await signUp(first.url), [first, second], 4);
      await load.requests(100);
      const migrated = await typedCommand(['migrate'], own);
      assert.deepEqual([migrated.code, migrated.stderr], [0, '']);
      const third = await start();
      load.balance([first, second, third]);
      await load.requests(100);
      load.balance([second, third]);
      await first.stop();
      await load.requests(100);
      load.balance([third]);
      await second.stop();
      await load.requests(100);
      await load.stop();

      assert.deepEqual(load.failures, []);
      assert.ok(load.acknowledged.length > 40, `${load.acknowledged.length} folders`);
      const { rows } = await pool.query('SELECT id FROM folder WHERE id = ANY ($1)', [load.acknowledged]);
      assert.equal(rows.length, load.acknowledged.length);
      for (const [at, count] of (await counts()).entries()) assert.ok(count >= (before[at] ?? 0), durable[at] ?? '');
      assert.equal(await third.stop(), 0);
      const verified = await typedCommand(['audit', 'verify'], own);
      assert.deepEqual([verified.code, verified.stderr], [0, '']);
    });
  });
