import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type TObject, Type } from 'typebox';
import { folderUpdated } from '../../src/records/folders/events.ts';
import type { EventType } from '../../src/platform/journal/audit-actions.ts';
import { on } from '../../src/platform/journal/listeners.ts';
import { maxEventBytes, record } from '../../src/platform/journal/record.ts';
import type { Scope } from '../../src/platform/scope.ts';
import { webhookListener } from '../../src/automation/webhooks/listeners.ts';
import { statusOrClosed } from '../early-refusal.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { type Spawned, spawnWorker } from '../spawned.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Events above the size limit for receivers. */

let chancery: Chancery;
let receiver: Receiver;
let worker: Omit<Spawned, 'url'>;
let owner: User;
let secret: string;

before(async () => {
  [chancery, receiver] = await Promise.all([startChancery({ role: 'api' }), startReceiver()]);
  ({ owner } = await chancery.team());
  const body = { name: 'All', url: `${receiver.url}/all`, events: ['*'] };
  ({ secret } = (await chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body })).body);
  worker = spawnWorker({ DATABASE_URL: chancery.databaseUrl, DATA_DIR: chancery.config.DATA_DIR, MASTER_KEY: chancery.masterKey });
});
after(async () => {
  await worker.kill();
  await chancery.stop();
  await receiver.close();
});

const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await chancery.pool.query(text, values)).rows;
const receivedNames: string[] = [];
const hearNames = on(folderUpdated, async (_, { data }) => void receivedNames.push(data.name));
const act = (work: (scope: Scope) => Promise<void>) =>
  chancery.database.inTeam(owner.team, (db) =>
    work({
      db,
      team: owner.team,
      actor: { type: 'system' },
      now: new Date(),
      requestId: 'oversize',
      listeners: [webhookListener, hearNames],
    }),
  );
const arrivedOf = (target: string) => receiver.received.find(({ event }) => Object.values(event.data).includes(target));

test('requests with the longest accepted texts cause events far below the limit, and longer texts are rejected without a write', async () => {
  const widest = ['€', '"', '\u{1F4A9}', 'ß\u0301'];
  const paths: [string, (text: string) => object][] = [
    ['/api/v1/smartdoc/folders/', (name) => ({ name })],
    ['/api/v1/smartdoc/documents/', (title) => ({ title, description: title })],
    ['/api/v1/tasks/', (title) => ({ title, description: title })],
    ['/api/v1/webhooks/', (name) => ({ name, url: 'https://receiver.example/', events: ['task.overdue'] })],
  ];
  for (const [path, body] of paths) {
    const statuses = new Set<number>();
    for (const text of widest)
      for (const length of [200, 1_000, 100_000, 2_000_000]) {
        const written = await rows('SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM audit_entry) AS entries');
        const members = body(text.repeat(length / text.length));
        const sent = chancery.call('POST', path, { token: owner.token, body: members, unchecked: true });
        const status = await statusOrClosed(sent);
        statuses.add(status);
        assert.ok([201, 400, 413].includes(status), `${path} answered ${status} to ${length} × ${text}`);
        if (status !== 201)
          assert.deepEqual(
            await rows('SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM audit_entry) AS entries'),
            written,
            path,
          );
      }
    assert.deepEqual([...statuses].toSorted(), [201, 400, 413], path);
  }
  const [{ longest }] = await rows('SELECT max(octet_length(body)) AS longest FROM event');
  assert.ok(longest < 16_384, `${longest} bytes`);
});

test('an event above the limit is shortened and marked for receivers, listeners get all of it, and the change and later events are kept', async () => {
  const [target, next] = [randomUUIDv7(), randomUUIDv7()];
  // A cut at an arbitrary length would split a surrogate pair in half of the cases.
  const name = `x${'\u{1F4A9}'.repeat(600_000)}`;
  await act((scope) => record(scope, folderUpdated, target, { name, parentId: owner.team }, false));
  await act((scope) => record(scope, folderUpdated, next, { name: 'Next' }, false));
  assert.deepEqual(receivedNames, [name, 'Next']);
  await eventually('the next event', () => arrivedOf(next));
  const { event, body, headers } = await eventually('the shortened event', () => arrivedOf(target));
  assert.ok(body.length <= maxEventBytes && receiver.verifies({ path: '', headers, body, event }, secret));
  assert.equal(event.dataTruncated, true);
  assert.deepEqual([event.data.folderId, event.data.teamId, event.data.data.parentId], [target, owner.team, owner.team]);
  assert.ok(event.data.data.name.length >= 1_000 && name.startsWith(event.data.data.name) && event.data.data.name.isWellFormed());
  const [entry] = await rows('SELECT data FROM audit_entry WHERE target_id = $1', [target]);
  assert.deepEqual([entry.data.parentId, entry.data.dataTruncated], [owner.team, true]);
  assert.ok(entry.data.name.length > 100 && name.startsWith(entry.data.name) && entry.data.name.isWellFormed());
  const [{ bytes }] = await rows('SELECT octet_length(data::text) AS bytes FROM audit_entry WHERE target_id = $1', [target]);
  assert.ok(bytes <= 17_000, `an entry is permanent and has ${bytes} bytes`);
  await eventually(
    'its position in the tree',
    async () => (await rows('SELECT seq FROM audit_entry WHERE target_id = $1', [target]))[0].seq !== null,
  );
  assert.equal(arrivedOf(next)?.event.dataTruncated, undefined);
});

test('an event fits the limit with any content: wide lists, deep lists, many members, and texts that grow as JSON', async () => {
  const type: EventType<TObject, never> = {
    type: 'test.oversize',
    target: 'thing',
    description: '',
    scope: 'team:read',
    requiresExplicitSubscription: false,
    data: Type.Object({}, { additionalProperties: true }),
    texts: [],
    example: {},
  };
  const deep = (depth: number): unknown => (depth === 0 ? '\u0001'.repeat(1_000) : [deep(depth - 1), deep(depth - 1)]);
  const bodies = [
    { list: Array.from({ length: 100_000 }, (_, n) => n) },
    { list: Array.from({ length: 1_000 }, () => ({ text: '€'.repeat(2_000) })) },
    { tree: deep(9) },
    { text: '\u0001'.repeat(300_000) },
    Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`member${n}`, '"'.repeat(10_000)])),
    // A text of exactly the limit stays unchanged.
    { text: 'x'.repeat(maxEventBytes - 1_000) },
  ];
  for (const data of bodies.slice(0, -1)) {
    const target = randomUUIDv7();
    await act((scope) => record(scope, type, target, data));
    const { body, event } = await eventually('its arrival', () => arrivedOf(target));
    assert.ok(body.length <= maxEventBytes && body.length > 100, `${body.length} bytes`);
    assert.deepEqual([event.dataTruncated, Object.keys(event.data.data)], [true, Object.keys(data)]);
  }
  const [{ longest }] = await rows('SELECT max(octet_length(data::text)) AS longest FROM audit_entry');
  assert.ok(longest <= 17_000, `${longest}`);
  const whole = randomUUIDv7();
  await act((scope) => record(scope, type, whole, bodies.at(-1) ?? {}));
  const { event } = await eventually('the content below the limit', () => arrivedOf(whole));
  assert.deepEqual([event.dataTruncated, event.data.data], [undefined, bodies.at(-1)]);
});

test('members that the type does not declare are in neither the journal entry nor the event', async () => {
  const target = randomUUIDv7();
  await act((scope) => record(scope, folderUpdated, target, { name: 'Known', smuggled: 'x'.repeat(100_000) } as { name: string }, false));
  const { event } = await eventually('its arrival', () => arrivedOf(target));
  assert.deepEqual(event.data.data, { name: 'Known' });
  assert.deepEqual((await rows('SELECT data FROM audit_entry WHERE target_id = $1', [target]))[0].data, { name: 'Known' });
});
