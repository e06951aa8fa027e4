import type pg from 'pg';
import { createDatabaseClock, type DatabaseClock } from './clock.ts';
import { openExchanges } from './exchanges/exchanges.ts';
import { type DatabaseLimits, databaseLimits } from './limits.ts';
import { Notifier } from './notifier.ts';
import { type Connection, createPool, takeClient } from './pool.ts';
import type { Proof } from './credential-check.ts';
import { readerOn } from './reader.ts';
import { type Role, RunningTransaction } from './running-transaction.ts';
import { notePresence, shareFairly, type SharesOptions } from './team-connection-limits.ts';
import { sqlStatement } from './statement.ts';
import type { Outgoing, Reader, Transaction } from './transaction.ts';
import { graceMs, type WatchedClient } from './watched-client.ts';

export type { Outgoing, Reader, Transaction };

/** What a team has taken of a budget over time. */
export type Spent = { team: string; name: string; amount: number };

export type Database = {
  /** Reads of one team. Each statement is a transaction of its own, in one exchange on a connection that reads share. */
  reader(team: string): Reader;
  /** Reads before the team is known: the same, and they see no row of any team. */
  publicReader: Reader;
  /**
   * Statements of a team (or of none, by an empty text) that many requests run at the same time, such as those of sign-ins. Those of one
   * turn of the event loop are committed together, and fail alone. A result is committed. `row` names the row that is changed, so that all
   * lock in one order; a statement that only reads has none. Rejects with `OutcomeUnknown` if the connection is lost during a change.
   */
  batched(team: string, row?: string): Pick<Reader, 'first'>;
  /**
   * One transaction confined to a team. Commits when `work` resolves, rolls back when it rejects. With `proof` it commits
   * only while the credential is valid, and otherwise rejects with its error. `statementMs`: the
   * limit of a statement, for jobs; by default that of requests.
   */
  inTeam<T>(team: string, work: (tx: Transaction) => Promise<T>, proof?: Proof, statementMs?: number): Promise<T>;
  /**
   * One transaction of a request without a credential of a team: it sees no row of any team. With `team` it uses that team's share of the
   * connections; without, it shares a queue with all other requests whose team is unknown.
   */
  withoutTeam<T>(work: (tx: Transaction) => Promise<T>, proof?: Proof, team?: string): Promise<T>;
  /** The single door across teams, for background work and staff. `reason` goes to the statement log of the database. */
  asSystem<T>(reason: string, work: (tx: Transaction) => Promise<T>, proof?: Proof): Promise<T>;
  /** Tells all nodes something that belongs to no transaction. It is a hint: one that is lost is not sent again. */
  notify(channel: string, payload: string): void;
  /** What was counted by {@link Transaction.spend} since it was last taken. */
  takeSpent(): Spent[];
  /** A connection of the pool for what holds one over time (advisory locks). The caller releases it. */
  connect(): Promise<pg.PoolClient>;
  /** The time all nodes share. */
  clock: DatabaseClock;
  /** Resolves when the database answers; rejects otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  applicationName: string;
  /** Connections for transactions; those for reads and sign-ins come besides. */
  maxConnections?: number;
  limits?: Partial<DatabaseLimits>;
  /** How much of one team may wait for its turn. */
  waiting?: number;
  /** Called when a connection dies in the pool, so that an embedded server can be looked at. */
  onLost?: (error: Error) => void;
  /** Called when work fails that came after a commit: what was committed is answered as that. */
  onError?: (error: unknown) => void;
};

const giveReason = sqlStatement<{ reason: string }, never>("SELECT set_config('app.reason', $reason, true)");
const pingMs = 3_000;
/** Who has no share of its own in the pool: requests whose team is not known yet, and background work. */
const [noTeam, system] = ['', 'system'];
/** A transaction that takes longer is slow: its team gets no more than its share. */
const quickMs = 250;
/** One that takes longer is heavy: its team gives way to others that are about. */
const heavyMs = 25;

/** Opens a database. */
export function openDatabase(connection: Connection, options: DatabaseOptions): Database {
  const { applicationName, maxConnections = 16, waiting = 256 } = options;
  const limits = databaseLimits(options.limits);
  const onLost = (error: Error): void => options.onLost?.(error);
  const presence = notePresence();
  const pool = createPool(connection, { max: maxConnections, applicationName, limits, onIdleError: onLost });
  const shares = transactionShares(maxConnections, { presence, waiting, waitMs: limits.waitMs });
  const exchanges = openExchanges(connection, { applicationName, maxConnections, limits, waiting, presence, onLost });
  const notifier = new Notifier(exchanges, limits.notifyMs);
  const notify = (channel: string, payload: string): void => notifier.notify(channel, payload);
  const spent = countSpent();
  const readIn = (team: string) => readerOn((config) => exchanges.read(team, config));
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
    shares.run(sharer, async () => {
      const client = await checkout();
      client.responseTimeoutMs = statementMs + graceMs;
      const onError = (error: unknown): void => options.onError?.(error);
      const limitMs = String(statementMs);
      return new RunningTransaction(client, { role, team, limitMs, proof, exchanges, notify, count: spent.add, onError }).complete(work);
    });
  const app = { role: 'chancery_app', statementMs: limits.writeMs } as const;

  return {
    reader: readIn,
    publicReader,
    batched: (team, row) => readerOn((config) => exchanges.batch({ team, row }, config)),
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

/** The shares of teams of the connections for transactions. */
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

/** Adds up what teams take of their budgets. */
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
