import type pg from 'pg';
import { attempted, type Run } from './attempt.ts';
import { createDatabaseClock, type DatabaseClock } from './clock.ts';
import { type DatabaseLimits, databaseLimits } from './limits.ts';
import { type Connection, createPool, takeClient } from './pool.ts';
import { sqlStatement, statementName } from './statement.ts';
import { OutcomeUnknown, sqlState } from './errors.ts';
import { openGathering } from './batched-statements.ts';
import { openLines } from './shared-readers.ts';
import { askOutcome, type Trace, wasUndone } from './outcome.ts';
import { endFoundBy, type Proof } from './proof.ts';
import { notePresence, shareFairly } from './shares.ts';
import { enter } from './team-exchange.ts';
import { openTeamReads } from './team-reads.ts';
import { openTelling } from './telling.ts';
import type { Outgoing, Reader, Transaction } from './transaction.ts';
import { graceMs, type WatchedClient } from './watched-client.ts';

export type { Outgoing, Reader, Transaction };

/** What a team has taken of a budget over time. */
export type Spent = { team: string; name: string; amount: number };

/** The role a transaction runs under. Requests are bound by row-level security; the system's own policies name its tables. */
type Role = 'chancery_app' | 'chancery_system';

export type Database = {
  /** Reads of one team. Each statement is a transaction of its own, in one exchange on a connection that reads share. */
  reader(team: string): Reader;
  /** Reads before the team is known: the same, and they see no row of any team. */
  publicReader: Reader;
  /**
   * Statements of one team (or of none, by an empty text) that many run at the same time, such as those of sign-ins. What is
   * run in one turn of the event loop leaves as one exchange and is committed together; each stands or falls alone. What
   * comes back is committed. `holds` names the row that is changed, for an order in which all hold theirs; a statement that
   * only reads names none. Rejects with {@link OutcomeUnknown} when the connection is lost under a change.
   */
  gathered(team: string, holds?: string): Pick<Reader, 'first'>;
  /**
   * One transaction confined to a team. Commits when `work` resolves, rolls back when it rejects. With `proof` it commits
   * only while the credential stands, and a credential that does not is what it fails with, whatever else went wrong. `statementMs`: the
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
  tell(channel: string, payload: string): void;
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

type Stream = { cork(): void; uncork(): void; writableCorked: number };

function streamOf(client: pg.PoolClient): Stream {
  return (client as unknown as { connection: { stream: Stream } }).connection.stream;
}

/** Statements that are sent in one turn of the event loop leave in one packet. */
function corkForThisTurn(stream: Stream): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A rejected promise that nobody awaits yet must not end the process: its error is met where the answer is awaited. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

const giveReason = sqlStatement<{ reason: string }, never>("SELECT set_config('app.reason', $reason, true)");

const pingMs = 3_000;

/** What was added for the end of a transaction, by the team it was confined to then. */
type Added = Map<string, Map<Outgoing<never>, unknown[]>>;

function add(to: Added, team: string, outgoing: Outgoing<never>, ones: readonly unknown[]): void {
  const ofTeam = to.get(team) ?? new Map<Outgoing<never>, unknown[]>();
  to.set(team, ofTeam);
  const all = ofTeam.get(outgoing);
  if (all) all.push(...ones);
  else ofTeam.set(outgoing, [...ones]);
}

/** PostgreSQL's in_failed_sql_transaction. */
const transactionAborted = '25P02';

function readerOn(run: Run): Reader {
  const sent = async (name: string, text: string, values: () => unknown[]) => (await run({ name, text, values: values() })).rows;
  // Each promise that is handed out is quiet: of several that are under way one is awaited first, and the rest fail with it.
  const all: Reader['all'] = (statement, params) => quiet(sent(statement.name, statement.text, () => statement.values(params)));
  return {
    all,
    first: (statement, params) => quiet(all(statement, params).then((rows) => rows[0])),
    query: (query) => {
      const compiled = query.compile();
      return quiet(sent(statementName(compiled.sql), compiled.sql, () => [...compiled.parameters]));
    },
  };
}

/** What a transaction has beside what a reader has, on the same connection. */
function statementsOn(run: Run): Pick<Transaction, keyof Reader | 'locked' | 'send'> {
  const reader = readerOn(run);
  return {
    ...reader,
    locked: async (lock, params, guarded) => {
      const held = reader.all(lock, params);
      const found = quiet(guarded());
      await held;
      return found;
    },
    send: (statement, params) => void quiet(run({ name: statement.name, text: statement.text, values: statement.values(params) })),
  };
}

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
  onFault?: (error: unknown) => void;
};

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
  function tried(work: () => void): void {
    try {
      work();
    } catch (error) {
      options.onFault?.(error);
    }
  }
  const pool = createPool(connection, { max: maxConnections, applicationName, limits, onIdleError: onLost });
  const presence = notePresence();
  const shares = shareFairly({
    places: maxConnections,
    share: Math.ceil(maxConnections / 4),
    most: Math.ceil((maxConnections * 3) / 4),
    quickMs,
    heavyMs,
    presence,
    waiting,
    waitMs: limits.waitMs,
    unbounded: new Set([noTeam, system]),
  });
  const spent = new Map<string, Spent>();
  const reads = openTeamReads(connection, { maxConnections, limits, waiting, applicationName, presence, onLost });
  const gathering = openGathering(connection, { applicationName, limits, onLost });
  /** For what comes after a transaction: telling others, and asking what became of one whose connection was lost. */
  const afterwards = openLines(connection, { lines: 2, limits, applicationName, onLost });
  const telling = openTelling(afterwards, limits);
  const limitOf = (role: Role): number => (role === 'chancery_system' ? limits.systemMs : limits.writeMs);
  const readIn = (team: string) => readerOn((config) => reads.read(team, config));
  const publicReader = readIn('');

  async function checkout(): Promise<pg.PoolClient & WatchedClient> {
    try {
      return await takeClient(pool, connection);
    } catch (error) {
      if (error instanceof Error) options.onLost?.(error);
      throw error;
    }
  }

  type As = { role: Role; team: string; sharer?: string; statementMs?: number | undefined };
  function transact<T>(as: As, work: (tx: Transaction) => Promise<T>, proof?: Proof): Promise<T> {
    const { role, team, sharer = team } = as;
    return shares.run(role === 'chancery_system' ? system : sharer, () => transaction(as, work, proof));
  }

  async function transaction<T>(as: As, work: (tx: Transaction) => Promise<T>, proof?: Proof): Promise<T> {
    const { role, team: initialTeam, statementMs = limitOf(role) } = as;
    const client = await checkout();
    const limitMs = String(statementMs);
    client.patienceMs = statementMs + graceMs;
    const stream = streamOf(client);
    const afterCommit: (() => void)[] = [];
    let team = initialTeam;
    let begun = false;
    let over = false;
    let unproven = proof;
    let added: Added = new Map();
    let failure: unknown;
    let trace: Trace | undefined;
    const send: Run = (config) => {
      corkForThisTurn(stream);
      const answer = client.query(config);
      answer.catch((error: unknown) => (failure ??= error));
      return answer;
    };
    /** Begin and confine leave with the first statement, by when the team of a public request is often known. */
    const run: Run = (config) => {
      // Work that goes on beside a part that failed must not reach the connection's next transaction.
      if (over) return Promise.reject(new Error('the transaction has ended'));
      if (!begun) {
        begun = true;
        void send({ text: 'BEGIN' });
        void send({ ...enter, values: [role, team, limitMs, 'auto'] });
      }
      return send(config);
    };
    const tx: Transaction = {
      ...statementsOn(run),
      leaves: (statement, params) => {
        trace = { name: statement.name, text: statement.text, values: statement.values(params) };
      },
      attempt: async (part) => {
        const before = { callbacks: afterCommit.length, trace, added };
        // What was added before is not sent by this part, which could undo it.
        added = new Map();
        try {
          const result = await attempted(run, (within) => part({ ...tx, ...statementsOn(within) }));
          for (const [of, outgoing] of added) for (const [sends, ones] of outgoing) add(before.added, of, sends, ones);
          ({ added } = before);
          return result;
        } catch (error) {
          const cause = sqlState(error) === transactionAborted ? (failure ?? error) : error;
          ({ trace, added } = before);
          afterCommit.length = before.callbacks;
          failure = undefined;
          throw cause;
        }
      },
      atEnd: (outgoing, one) => {
        add(added, team, outgoing, [one]);
      },
      sendAdded: async () => {
        const [now, all] = [team, added];
        added = new Map();
        for (const [of, outgoing] of all) {
          if (of !== team) tx.enterTeam(of);
          for (const [sends, ones] of outgoing) await sends(tx, ones as never[]);
        }
        if (team !== now) tx.enterTeam(now);
      },
      afterCommit: (callback) => void afterCommit.push(callback),
      tells: (channel, payload) => void afterCommit.push(() => telling.tell(channel, payload)),
      spend: (of, name, amount) =>
        void afterCommit.push(() => {
          const key = `${of} ${name}`;
          spent.set(key, { team: of, name, amount: (spent.get(key)?.amount ?? 0) + amount });
        }),
      enterTeam: (known) => {
        team = known;
        if (begun && !over) void send({ ...enter, values: [role, known, limitMs, 'auto'] });
      },
      prove: () => {
        if (unproven) void quiet(run(unproven));
        unproven = undefined;
      },
    };
    let broken: Error | undefined;
    async function commit(): Promise<void> {
      const answer = await send({ text: 'COMMIT' }).catch(async (error: unknown) => {
        if (wasUndone(error) || wasUndone(failure)) throw error;
        const outcome = await askOutcome(afterwards, { backend: client.backend, trace, role, team });
        if (outcome === 'unknown') throw new OutcomeUnknown(error);
        if (outcome === 'undone') throw error;
      });
      // A failed statement turns COMMIT into ROLLBACK without an error: never report that as done.
      if (answer && answer.command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back: a statement failed');
    }
    try {
      const result = await work(tx);
      await tx.sendAdded();
      tx.prove();
      over = true;
      if (begun) await commit();
      for (const callback of afterCommit) tried(callback);
      return result;
    } catch (error) {
      over = true;
      const undone = begun ? client.query('ROLLBACK') : Promise.resolve();
      // In the same packet: whoever's credential has ended is told that, and nothing of what else was wrong.
      const ended =
        unproven &&
        endFoundBy(unproven, (config) => client.query(config), {
          ...enter,
          values: [role, initialTeam, limitMs, 'auto'],
        });
      await undone.catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      // Of statements behind a failed one the database only says that the transaction is aborted.
      throw (await ended) ?? (sqlState(error) === transactionAborted ? (failure ?? error) : error);
    } finally {
      client.release(broken);
    }
  }

  return {
    reader: readIn,
    publicReader,
    gathered: (team, holds) => readerOn((config) => gathering.run({ team, holds }, config)),
    inTeam: (team, work, proof, statementMs) => transact({ role: 'chancery_app', team, statementMs }, work, proof),
    withoutTeam: (work, proof, sharer = '') => transact({ role: 'chancery_app', team: '', sharer }, work, proof),
    asSystem: (reason, work, proof) =>
      transact(
        { role: 'chancery_system', team: '' },
        async (tx) => {
          tx.send(giveReason, { reason });
          return work(tx);
        },
        proof,
      ),
    tell: (channel, payload) => telling.tell(channel, payload),
    takeSpent: () => {
      const taken = [...spent.values()];
      spent.clear();
      return taken;
    },
    connect: checkout,
    clock: createDatabaseClock(publicReader),
    ping: async () => {
      const client = await checkout();
      client.patienceMs = pingMs;
      await client.query('SELECT 1').finally(() => client.release());
    },
    close: async () => {
      await Promise.all([pool.end(), reads.close(), gathering.close(), afterwards.close()]);
    },
  };
}
