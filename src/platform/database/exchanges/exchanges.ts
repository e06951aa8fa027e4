import type pg from 'pg';
import type { DatabaseLimits } from '../limits.ts';
import type { Connection } from '../pool.ts';
import type { Presence } from '../team-connection-limits.ts';
import { SharedConnections } from './shared-connections.ts';
import { type BatchKey, StatementBatcher } from './statement-batcher.ts';
import type { BoundStatement, ExecuteAs } from './team-exchange.ts';
import { TeamReads } from './team-reads.ts';

/**
 * Single statements outside of a {@link Transaction}: each is a transaction of its own that needs one round trip and no connection of the
 * pool.
 *
 * The simpler forms were measured by `npm run bench` as ratios to the floor on 2 cores (PostgreSQL 18, medians of three rounds):
 * - BEGIN, settings, statement and COMMIT through the pipeline of pg instead of one exchange: read of a folder 0.47 instead of 0.68.
 * - A connection for each statement instead of shared ones: read of a folder 0.36 instead of 0.56.
 * - Transactions instead of batches: login 0.77 instead of 0.86, refresh 0.52 instead of 0.66, reads beside logins 0.15 instead of 0.75.
 */
export type Exchanges = {
  /** Reads for a team, or for none by an empty text. */
  read(team: string, statement: BoundStatement): Promise<pg.QueryResult>;
  /** Runs and commits the statement together with equal ones of the same turn of the event loop. It fails alone. */
  batch(key: BatchKey, statement: BoundStatement): Promise<pg.QueryResult>;
  /** Runs a statement after a transaction: a notification, or the question whether it was committed. */
  runAfterwards(statement: BoundStatement, as: ExecuteAs): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

type Options = {
  maxConnections: number;
  limits: DatabaseLimits;
  waiting: number;
  applicationName: string;
  presence: Presence;
  onLost: (error: Error) => void;
};

/** Opens connections for exchanges, each at its first use. */
export function openExchanges(connection: Connection, options: Options): Exchanges {
  const reads = new TeamReads(connection, options);
  const batcher = new StatementBatcher(connection, options);
  const afterwards = new SharedConnections(connection, { ...options, connections: 2 });
  return {
    read: (team, statement) => reads.read(team, statement),
    batch: (key, statement) => batcher.run(key, statement),
    runAfterwards: (statement, as) => afterwards.run(statement, as),
    close: async () => {
      await Promise.all([reads.close(), batcher.close(), afterwards.close()]);
    },
  };
}
