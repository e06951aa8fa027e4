import type pg from 'pg';
import { createDatabaseClock, type DatabaseClock } from './clock.ts';
import { openExchanges } from './exchanges/exchanges.ts';
import { type DatabaseLimits, databaseLimits } from './limits.ts';
import { Notifier } from './notifier.ts';
import { type Connection, createPool, takeClient } from './pool.ts';
import type { Proof } from './credential-check.ts';
import { readerOn } from './reader.ts';
import { type Role, RunningTransaction } from './running-transaction.ts';
import { trackPresence, shareFairly, type SharesOptions } from './team-connection-limits.ts';
import { inQuerySpan, inTransactionSpan } from './spans.ts';
import { sqlStatement } from './statement.ts';
import type { Outgoing, Reader, Transaction } from './transaction.ts';
import { graceMs, type WatchedClient } from './watched-client.ts';

export type { Outgoing, Reader, Transaction };

/** The usage that a team added to a rate budget. */
export type Spent = { team: string; name: string; amount: number };

export type Database = {
  /** Reads for one team, and of the tables of one person. Each statement is a separate transaction, sent in one exchange on a shared connection. */
  reader(team: string, person?: string): Reader;
  /** Reads before the team is known. They see no rows of any team. */
  publicReader: Reader;
  /**
   * Runs a statement that many requests run at the same time, such as a sign-in. An empty `team` means no team. Equal statements of one turn of the
   * event loop commit together and fail separately. When it returns a result, the statement has committed. `row` names the changed row, so that
   * batches lock rows in one order; a statement that only reads has none. Rejects with `OutcomeUnknown` if the connection is lost during a change.
   */
  batched(team: string, row?: string, person?: string): Pick<Reader, 'first'>;
  /**
   * Runs one transaction of a team. Commits when `work` resolves, and rolls back when it rejects. With `proof` it commits
   * only while the credential is valid, and otherwise rejects with its error. `statementMs` is the limit of a statement; the default is the limit of
   * requests.
   */
  inTeam<T>(team: string, work: (tx: Transaction) => Promise<T>, proof?: Proof, statementMs?: number): Promise<T>;
  /**
   * Runs one transaction of a request without a team credential. It sees no rows of any team. With `team` it uses the connection share of that team.
   * Without `team` it shares a queue with all requests whose team is unknown.
   */
  withoutTeam<T>(work: (tx: Transaction) => Promise<T>, proof?: Proof, team?: string): Promise<T>;
  /** Runs one transaction across teams, for background work and staff. `reason` is written to the statement log of the database. */
  asSystem<T>(reason: string, work: (tx: Transaction) => Promise<T>, proof?: Proof): Promise<T>;
  /** Notifies all nodes, outside of any transaction. If a notification is lost, it is not sent again. */
  notify(channel: string, payload: string): void;
  /** Returns and clears the usage that {@link Transaction.spend} counted. */
  takeSpent(): Spent[];
  /** Returns a pool connection for long use, such as advisory locks. The caller releases it. */
  connect(): Promise<pg.PoolClient>;
  /** The time that all nodes use. */
  clock: DatabaseClock;
  /** Resolves if the database responds, and rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  applicationName: string;
  /** Connections for transactions, without those for reads and sign-ins. */
  maxConnections?: number;
  limits?: Partial<DatabaseLimits>;
  /** The maximum number of waiting requests of one team. */
  waiting?: number;
  /** Called when a pooled connection is lost, so that an embedded server can be restarted. */
  onLost?: (error: Error) => void;
  /** Called when work after a commit fails. The transaction still counts as committed. */
  onError?: (error: unknown) => void;
};

const giveReason = sqlStatement<{ reason: string }, never>("SELECT set_config('app.reason', $reason, true)");
const pingMs = 3_000;
/** Share names without a limit: requests whose team is unknown, and background work. */
const [noTeam, system] = ['', 'system'];
/** A transaction that takes longer counts as slow: its team is limited to its share of the connections. In milliseconds. */
const quickMs = 250;
/** A transaction that takes longer counts as heavy: its team yields to other active teams. In milliseconds. */
const heavyMs = 25;

/** Opens the connections to a database. */
export function openDatabase(connection: Connection, options: DatabaseOptions): Database {
  const { applicationName, maxConnections = 16, waiting = 256 } = options;
  const limits = databaseLimits(options.limits);
  const onLost = (error: Error): void => options.onLost?.(error);
  const presence = trackPresence();
  const pool = createPool(connection, { max: maxConnections, applicationName, limits, onIdleError: onLost });
  const shares = transactionShares(maxConnections, { presence, waiting, waitMs: limits.waitMs });
  const exchanges = openExchanges(connection, { applicationName, maxConnections, limits, waiting, presence, onLost });
  const notifier = new Notifier(exchanges, limits.notifyMs);
  const notify = (channel: string, payload: string): void => notifier.notify(channel, payload);
  const spent = countSpent();
  const readIn = (team: string, person?: string) => readerOn((config) => inQuerySpan(config, () => exchanges.read(team, config, person)));
  const publicReader = readIn('');

  async function checkout(): Promise<pg.PoolClient & WatchedClient> {
    try {
      return await takeClient(pool, connection);
    } catch (error) {
      if (error instanceof Error) onLost(error);
      throw error;
    }
  }

  type As = { role: Role; team: string; sharer: string; statementMs: number; proof: Proof | undefined };
  const transact = <T>({ role, team, sharer, statementMs, proof }: As, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    inTransactionSpan(() =>
      shares.run(sharer, async () => {
        const client = await checkout();
        client.responseTimeoutMs = statementMs + graceMs;
        const onError = (error: unknown): void => options.onError?.(error);
        const limitMs = String(statementMs);
        return new RunningTransaction(client, { role, team, limitMs, proof, exchanges, notify, count: spent.add, onError }).complete(work);
      }),
    );
  const app = { role: 'chancery_app', statementMs: limits.writeMs } as const;

  return {
    reader: readIn,
    publicReader,
    batched: (team, row, person) => readerOn((config) => inQuerySpan(config, () => exchanges.batch({ team, row, person }, config))),
    inTeam: (team, work, proof, statementMs = limits.writeMs) => transact({ ...app, team, sharer: team, statementMs, proof }, work),
    withoutTeam: (work, proof, sharer = noTeam) => transact({ ...app, team: '', sharer, proof }, work),
    asSystem: (reason, work, proof) =>
      transact({ role: 'chancery_system', team: '', sharer: system, statementMs: limits.systemMs, proof }, async (tx) => {
        tx.send(giveReason, { reason });
        return work(tx);
      }),
    notify,
    takeSpent: spent.take,
    connect: checkout,
    clock: createDatabaseClock(publicReader),
    ping: async () => {
      const client = await checkout();
      client.responseTimeoutMs = pingMs;
      await client.query('SELECT 1').finally(() => client.release());
    },
    close: async () => {
      await Promise.all([pool.end(), exchanges.close()]);
    },
  };
}

/** Creates the shares of the transaction connections by team. */
const transactionShares = (places: number, options: Pick<SharesOptions, 'presence' | 'waiting' | 'waitMs'>) =>
  shareFairly({
    ...options,
    places,
    share: Math.ceil(places / 4),
    most: Math.ceil((places * 3) / 4),
    quickMs,
    heavyMs,
    unbounded: new Set([noTeam, system]),
  });

/** Sums the usage of rate budgets by team. */
function countSpent() {
  const spent = new Map<string, Spent>();
  return {
    add: (team: string, name: string, amount: number): void => {
      const key = `${team} ${name}`;
      spent.set(key, { team, name, amount: (spent.get(key)?.amount ?? 0) + amount });
    },
    take: (): Spent[] => {
      const taken = [...spent.values()];
      spent.clear();
      return taken;
    },
  };
}
