import { pino } from 'pino';
import { Registry } from 'prom-client';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { openListener } from '../src/platform/database/listen.ts';
import { Jobs } from '../src/platform/jobs/jobs.ts';
import { countJobFailures } from '../src/platform/telemetry/metrics.ts';
import { createAddressPolicy } from '../src/automation/webhooks/addresses/addresses.ts';
import { WebhookEngine, type WebhookEngineOptions } from '../src/automation/webhooks/engine/engine.ts';
import { disableDeadEndpoint } from '../src/automation/webhooks/engine/jobs.ts';
import { webhookListener } from '../src/automation/webhooks/listeners.ts';
import { createSender } from '../src/automation/webhooks/sending/sender.ts';
import { testDatabaseLimits } from './database-limits.ts';
import type { Chancery } from './harness.ts';

export type EngineOptions = Partial<WebhookEngineOptions> & { timeoutMs?: number };

/**
 * Starts an engine as in a separate worker. It retries soon, but has a long timeout for responses, because a timeout on a busy machine would add an
 * attempt. `stop` may be called twice.
 */
export async function startEngine(chancery: Chancery, options: EngineOptions = {}): Promise<{ stop(): Promise<void> }> {
  const { timeoutMs = 15_000, ...rest } = options;
  const connection = { url: chancery.databaseUrl };
  const database = openDatabase(connection, { applicationName: 'engine-under-test', maxConnections: 4, limits: testDatabaseLimits });
  const listener = openListener(connection, () => undefined);
  const sender = createSender({ policy: createAddressPolicy({ allowPrivate: true, allowCidrs: [] }), timeoutMs });
  const masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '/nowhere', generate: 'never' });
  const jobs = new Jobs({ database, listener, log: pino({ level: 'silent' }), metrics: countJobFailures(new Registry()) });
  jobs.add(disableDeadEndpoint, { database, clock: () => new Date(), listeners: [webhookListener] });
  const closeAll = async () => {
    await jobs.stop(1_000);
    await Promise.all([sender.close(), listener.close(), database.close()]);
  };
  let engine: WebhookEngine;
  try {
    engine = new WebhookEngine({
      database,
      listener,
      sender,
      masterKey,
      signPublicly: () => Buffer.alloc(0),
      log: pino({ level: 'silent' }),
      schedule: [20, 50],
      leaseSeconds: 30,
      pollMs: 200,
      ...rest,
    });
    await Promise.all([engine.start(), jobs.start()]);
  } catch (error) {
    await closeAll();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  return { stop: () => (stopped ??= engine.stop().then(closeAll)) };
}
