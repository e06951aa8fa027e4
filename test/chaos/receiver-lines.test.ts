import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { type LineError, type LineProxy, startLineProxy } from '../line-proxy.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Connections to receivers fail in different ways while users work. Each kind of failure has one receiver, and one receiver has a good connection. */

const lineErrors: LineError[] = ['none', 'delays', 'swallows all', 'swallows answers', 'refuses', 'cuts requests', 'cuts answers'];
const waits = 40;

let chancery: Chancery;
let owner: User;
const lines: { lineError: LineError; proxy: LineProxy; receiver: Receiver; id: string }[] = [];

before(async () => {
  const settings = {
    WEBHOOK_TIMEOUT_SECONDS: '1',
    // Much longer than a busy machine needs to record an outcome: this test does not cover expired leases.
    WEBHOOK_LEASE_SECONDS: '15',
    WEBHOOK_RETRY_SCHEDULE: Array(waits).fill('300ms').join(),
  };
  chancery = await startChancery({ settings });
  ({ owner } = await chancery.team());
  for (const lineError of lineErrors) {
    const receiver = await startReceiver();
    const { hostname, port } = new URL(receiver.url);
    const proxy = await startLineProxy({ host: hostname, port: Number(port) });
    const body = { name: lineError, url: `http://${proxy.host}/`, events: ['folder.created'] };
    const { body: made } = await chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body });
    lines.push({ lineError: lineError, proxy, receiver, id: made.id });
  }
});
after(async () => {
  await chancery.stop();
  for (const { proxy, receiver } of lines) {
    proxy.close();
    await receiver.close();
  }
});

const idsAt = (receiver: Receiver) => receiver.received.map(({ event }) => event.data.folderId as string);
const missingAt = (receiver: Receiver, folders: readonly string[]) => {
  const arrived = new Set(idsAt(receiver));
  return folders.filter((id) => !arrived.has(id));
};
const pending = async () =>
  (await chancery.pool.query("SELECT count(*)::int AS n FROM webhook_delivery WHERE status = 'pending'")).rows[0].n as number;

test(
  'connections to receivers that delay, drop, refuse and cut: no event is lost, the good receiver is not affected, and all recover within 30 s',
  { timeout: 600_000 },
  async () => {
    const folders: string[] = [];
    const make = async (many: number) => {
      for (let n = 0; n < many; n += 1) {
        folders.push((await chancery.folder(owner)).id);
        await sleep(40);
      }
    };
    const well = lines[0];
    assert.ok(well);

    // Delivers events before the failures, so that open connections exist.
    await make(5);
    await eventually('the first events', () => lines.every(({ receiver }) => missingAt(receiver, folders).length === 0));
    // Waits for their responses too: a response that a failure interrupts causes a second delivery.
    await eventually('their responses', async () => (await pending()) === 0);
    for (const { lineError, proxy } of lines) proxy.lineError = lineError;
    await make(20);
    await eventually('all events at the good receiver', () => missingAt(well.receiver, folders).length === 0);
    await eventually('failures of each broken connection', async () => {
      const { rows } = await chancery.pool.query('SELECT endpoint_id FROM webhook_attempt WHERE error IS NOT NULL GROUP BY 1');
      return rows.length >= lineErrors.length - 2;
    });

    for (const { proxy } of lines) proxy.lineError = 'none';
    await eventually('an empty queue', async () => (await pending()) === 0);

    const { rows: late } = await chancery.pool.query(
      "SELECT endpoint_id AS id, count(*)::int AS n FROM webhook_attempt WHERE error = 'timeout' GROUP BY 1",
    );
    const copies = ({ receiver }: { receiver: Receiver }) => receiver.received.length - new Set(idsAt(receiver)).size;
    for (const line of lines) {
      assert.deepEqual(missingAt(line.receiver, folders), [], `lost on a connection that ${line.lineError}`);
      // Copies arrive only for deliveries whose response did not reach the service before the timeout.
      const unheard = late.find(({ id }) => id === line.id)?.n ?? 0;
      if (!line.lineError.endsWith('answers'))
        assert.ok(copies(line) <= unheard, `${copies(line)} copies on a connection that ${line.lineError}`);
    }
    const { rows } = await chancery.pool.query('SELECT DISTINCT status FROM webhook_delivery');
    assert.deepEqual(rows, [{ status: 'delivered' }]);
    assert.equal(folders.length, 25);
  },
);
