import type pg from 'pg';
import type { DatabaseLimits } from '../limits.ts';
import type { Connection } from '../pool.ts';
import type { Presence } from '../team-connection-limits.ts';
import { SharedConnections } from './shared-connections.ts';
import { type BatchKey, StatementBatcher } from './statement-batcher.ts';
import type { BoundStatement, ExecuteAs } from './team-exchange.ts';
import { TeamReads } from './team-reads.ts';

/**
 * Single statements outside of a {@link Transaction}. Each is a separate transaction that needs one round trip and no pool connection.
 *
 * `npm run bench` compared the throughput of simpler designs with that of bare statements (1.0), on 2 cores with PostgreSQL 18:
 * - BEGIN, settings, statement and COMMIT through the pipeline of pg instead of one exchange: folder read 0.47 instead of 0.68.
 * - One connection per statement instead of shared connections: folder read 0.36 instead of 0.56.
 * - Transactions instead of batches: login 0.77 instead of 0.86, refresh 0.52 instead of 0.66, reads during logins 0.15 instead of 0.75.
 */
export type Exchanges = {
  /** Runs a reading statement for a team (no team if empty) and for a person. */
  read(team: string, statement: BoundStatement, person?: string): Promise<pg.QueryResult>;
  /** Runs and commits the statement together with equal statements of the same turn of the event loop. It fails separately. */
  batch(key: BatchKey, statement: BoundStatement): Promise<pg.QueryResult>;
  /** Runs a statement after a transaction: a notification, or a check whether it committed. */
  runAfterwards(statement: BoundStatement, as: ExecuteAs): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

type ExchangeOptions = {
  maxConnections: number;
  limits: DatabaseLimits;
  waiting: number;
  applicationName: string;
  presence: Presence;
  onLost: (error: Error) => void;
};

/** Creates the connections for exchanges. Each opens at its first use. */
export function openExchanges(connection: Connection, options: ExchangeOptions): Exchanges {
  const reads = new TeamReads(connection, options);
  const batcher = new StatementBatcher(connection, options);
  const afterwards = new SharedConnections(connection, { ...options, connections: 2 });
  return {
    read: (team, statement, person) => reads.read(team, statement, person),
    batch: (key, statement) => batcher.run(key, statement),
    runAfterwards: (statement, as) => afterwards.run(statement, as),
    close: async () => {
      await Promise.all([reads.close(), batcher.close(), afterwards.close()]);
    },
  };
}
