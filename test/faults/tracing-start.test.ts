import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Collector, startCollector } from '../collector.ts';
import { createTestDatabase, withAdmin } from '../postgres.ts';
import { type Spawned, spawnService } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let collector: Collector;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-tracing-'));
  database = await createTestDatabase();
  collector = await startCollector();
});
after(async () => {
  await collector.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the address of each loaded module of OpenTelemetry to standard error. */
const listLoaded = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/opentelemetry|otel/.test(new URL(url).pathname.replace(process.cwd(), ''))) process.stderr.write('loaded ' + url + '\\n');
      return next(url, context);
    },
  });`)}`;

const start = (settings: Record<string, string> = {}): Promise<Spawned> =>
  spawnService({
    DATABASE_URL: database.url,
    MASTER_KEY: masterKey,
    DATA_DIR: folder,
    ALTCHA: 'off',
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import=${listLoaded}`,
    ...settings,
  });
const masterKey = randomBytes(32).toString('base64');

test('a start loads OpenTelemetry only if a collector is set', async () => {
  const plain = await start();
  assert.equal(await plain.stop(), 0);
  assert.doesNotMatch(plain.output(), /loaded/);
  const traced = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  assert.equal((await fetch(`${traced.url}/problems/not_found`)).status, 200);
  assert.equal(await traced.stop(), 0);
  assert.match(traced.output(), /loaded file:.*sdk-trace/);
  assert.ok(collector.spans.length > 0, 'the stop exports the remaining spans');
});

test('the log of a failure has the trace, the request and the error', async () => {
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  try {
    const rename = (from: string, to: string) => withAdmin(database.url, (client) => client.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('account', 'account_away');
    const requestId = randomUUID();
    const response = await fetch(`${service.url}/api/v1/security/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify({ email: 'ada@example.org', password: 'a long unusual passphrase 7' }),
    });
    await rename('account_away', 'account');
    assert.equal(response.status, 500);
    const { trace_id: traceId } = (await response.json()) as { trace_id: string };
    const line = await eventually('the log entry', () =>
      service
        .output()
        .split('\n')
        .find((one) => one.includes(requestId)),
    );
    const entry = JSON.parse(line);
    assert.deepEqual([entry.requestId, entry.trace_id, entry.err.code], [requestId, traceId, '42P01']);
    assert.equal(line.split('"requestId"').length, 2, 'each member occurs once');
    const span = await eventually('the span', () => collector.spans.find((one) => one.traceId === traceId && one.kind === 2));
    assert.deepEqual([span.spanId, span.attributes['error.type'], span.status], [entry.span_id, '500', { code: 2 }]);
  } finally {
    await service.stop();
  }
});

test('a collector that does not respond is logged once, and the service works without it', async () => {
  const service = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_BSP_SCHEDULE_DELAY: '10', LOG_LEVEL: 'warn' });
  const warnings = () => service.output().match(/traces cannot be exported/g)?.length ?? 0;
  await eventually('the warning', async () => {
    assert.equal((await fetch(`${service.url}/problems/not_found`)).status, 200);
    return warnings() > 0;
  });
  assert.equal(await service.stop(), 0);
  assert.equal(warnings(), 1);
});
