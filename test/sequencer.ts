import { pino } from 'pino';
import { type KeyRing, openKeyRing } from '#keys';
import { webhookBulkListener } from '../src/automation/webhooks/listeners.ts';
import { Sequencer, type SequencerOptions } from '../src/records/journal/sequencer/sequencer.ts';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { openListener } from '../src/platform/database/listen.ts';
import { testDatabaseLimits } from './database-limits.ts';
import type { Chancery } from './harness.ts';

/** Returns the keys of the service, which it reads with the master key. */
export async function keysOf(chancery: Chancery, database: Database = chancery.database): Promise<KeyRing> {
  const masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '/nowhere', generate: 'never' });
  return openKeyRing(database, masterKey, { accessAlgorithm: 'ES256' });
}

export type SequencerNode = Pick<Sequencer, 'start' | 'stop'> & {
  /** Returns the warnings and errors of the log. */
  logged(): string;
};

/** Starts a sequencer on another node with separate connections. Stopping it closes the connections. */
export async function sequencerNode(chancery: Chancery, options: Partial<SequencerOptions> = {}): Promise<SequencerNode> {
  const connection = { url: chancery.databaseUrl };
  const database = openDatabase(connection, { applicationName: 'sequencer-test', maxConnections: 4, limits: testDatabaseLimits });
  const listener = openListener(connection, () => undefined);
  const lines: string[] = [];
  const sequencer = new Sequencer({
    database,
    listener,
    keys: await keysOf(chancery, database),
    origin: 'log.example/tlog',
    witnesses: [],
    announce: webhookBulkListener,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    pollMs: 50,
    pauseMs: 5,
    ...options,
  });
  return {
    start: () => sequencer.start(),
    async stop() {
      await sequencer.stop();
      await listener.close();
      await database.close();
    },
    logged: () => lines.join(''),
  };
}
