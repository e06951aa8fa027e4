import type pg from 'pg';
import { attempted, type RunQuery } from './attempt.ts';
import { OutcomeUnknown, sqlState, wasUndone } from './errors.ts';
import type { Exchanges } from './exchanges/exchanges.ts';
import { currentTraceparent } from '../telemetry/tracing.ts';
import { enter } from './exchanges/team-exchange.ts';
import { enterTrace, inQuerySpan } from './spans.ts';
import { askOutcome, type Trace, untilEnded } from './commit-outcome.ts';
import { delayWrites } from './pool.ts';
import { endFoundBy, type Proof } from './credential-check.ts';
import { statementsOn } from './reader.ts';
import type { Outgoing, Transaction } from './transaction.ts';
import type { WatchedClient } from './watched-client.ts';

/** The role of a transaction. Row-level security applies to requests. Policies for the system role exist per table. */
export type Role = 'chancery_app' | 'chancery_system';

export type TransactionOptions = {
  role: Role;
  team: string;
  /** The statement limit in milliseconds. */
  limitMs: string;
  proof: Proof | undefined;
  exchanges: Exchanges;
  notify: (channel: string, payload: string) => void;
  count: (team: string, name: string, amount: number) => void;
  /** Receives the errors of callbacks after the commit. */
  onError: (error: unknown) => void;
};

/** Rows to send at the end of a transaction, by the team that was current when they were added. */
type Added = Map<string, Map<Outgoing<never>, unknown[]>>;

function add(to: Added, team: string, outgoing: Outgoing<never>, ones: readonly unknown[]): void {
  const entriesOfTeam = to.get(team) ?? new Map<Outgoing<never>, unknown[]>();
  to.set(team, entriesOfTeam);
  const all = entriesOfTeam.get(outgoing);
  if (all) all.push(...ones);
  else entriesOfTeam.set(outgoing, [...ones]);
}

/** SQLSTATE in_failed_sql_transaction. */
const transactionAborted = '25P02';

/** One transaction on a connection, from its first statement to COMMIT or ROLLBACK. */
export class RunningTransaction {
  readonly #client: pg.PoolClient & WatchedClient;
  readonly #options: TransactionOptions;
  readonly #afterCommit: (() => void)[] = [];
  #team: string;
  #person = '';
  #isBegun = false;
  #isOver = false;
  #unproven: Proof | undefined;
  #added: Added = new Map();
  #failure: unknown;
  #trace: Trace | undefined;
  /** Resolves when the server process of an unknown commit has ended. */
  #ended: Promise<void> | undefined;

  constructor(client: pg.PoolClient & WatchedClient, options: TransactionOptions) {
    this.#client = client;
    this.#options = options;
    this.#team = options.team;
    this.#unproven = options.proof;
  }

  /** Commits when `work` resolves, and rolls back when it rejects. Releases the connection. */
  async complete<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let broken: Error | undefined;
    try {
      const tx = this.#transaction();
      const result = await work(tx);
      await tx.sendAdded();
      tx.prove();
      this.#isOver = true;
      if (this.#isBegun) await this.#commit();
      for (const callback of this.#afterCommit) this.#try(callback);
      return result;
    } catch (error) {
      this.#isOver = true;
      const undone = this.#isBegun ? this.#client.query('ROLLBACK') : Promise.resolve();
      // Sent in the same packet. If the credential has ended, that error is thrown.
      const ended =
        this.#unproven && endFoundBy(this.#unproven, (config) => this.#client.query(config), this.#entering(this.#options.team));
      await undone.catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw (await ended) ?? this.#causeOf(error);
    } finally {
      const release = (): void => this.#client.release(broken);
      // A commit that waits for a standby keeps its place in the pool. Such commits would otherwise use up the connections of the server.
      if (this.#ended) void this.#ended.then(release);
      else release();
    }
  }

  #transaction(): Transaction {
    const { notify, count } = this.#options;
    const tx: Transaction = {
      ...statementsOn(this.#run),
      leaves: (statement, params) => {
        this.#trace = { name: statement.name, text: statement.text, values: statement.values(params) };
      },
      attempt: (part) => this.#attempt((within) => part({ ...tx, ...statementsOn(within) })),
      atEnd: (outgoing, one) => add(this.#added, this.#team, outgoing, [one]),
      sendAdded: () => this.#sendAdded(tx),
      afterCommit: (callback) => void this.#afterCommit.push(callback),
      notify: (channel, payload) => void this.#afterCommit.push(() => notify(channel, payload)),
      spend: (team, name, amount) => void this.#afterCommit.push(() => count(team, name, amount)),
      enterTeam: (team, person = this.#person) => {
        this.#team = team;
        this.#person = person;
        this.#reenter();
      },
      enterPerson: (person) => {
        if (person === this.#person) return;
        this.#person = person;
        this.#reenter();
      },
      prove: () => {
        if (this.#unproven) this.#run(this.#unproven).catch(() => undefined);
        this.#unproven = undefined;
      },
    };
    return tx;
  }

  #entering = (team: string) => ({ ...enter, values: [this.#options.role, team, this.#person, this.#options.limitMs, 'auto'] });

  /** Sends the changed settings. Before the first statement nothing needs to be sent. */
  #reenter(): void {
    if (this.#isBegun && !this.#isOver) void this.#send(this.#entering(this.#team));
  }

  #send: RunQuery = (config) => {
    delayWrites(this.#client, (uncork) => process.nextTick(uncork));
    const answer = this.#client.query(config);
    answer.catch((error: unknown) => (this.#failure ??= error));
    return answer;
  };

  /** Runs a statement. BEGIN and the settings are sent with the first statement, when the team of a public request is often known. */
  #run: RunQuery = (config) => {
    // Work that continues after a failed part must not reach the next transaction of the connection.
    if (this.#isOver) return Promise.reject(new Error('the transaction has ended'));
    if (!this.#isBegun) {
      this.#isBegun = true;
      void this.#send({ text: 'BEGIN' });
      void this.#send(this.#entering(this.#team));
      const traceparent = currentTraceparent();
      if (traceparent !== undefined) void this.#send({ ...enterTrace, values: enterTrace.values({ traceparent }) });
    }
    return inQuerySpan(config, () => this.#send(config));
  };

  async #attempt<T>(part: (within: RunQuery) => Promise<T>): Promise<T> {
    const [trace, added, callbacks] = [this.#trace, this.#added, this.#afterCommit.length];
    // The part does not send rows that were added earlier, because a rollback of the part would remove them.
    this.#added = new Map();
    try {
      const result = await attempted(this.#run, part);
      for (const [team, outgoing] of this.#added) for (const [sends, ones] of outgoing) add(added, team, sends, ones);
      return result;
    } catch (error) {
      const cause = this.#causeOf(error);
      this.#trace = trace;
      this.#afterCommit.length = callbacks;
      this.#failure = undefined;
      throw cause;
    } finally {
      this.#added = added;
    }
  }

  async #sendAdded(tx: Transaction): Promise<void> {
    const [now, all] = [this.#team, this.#added];
    this.#added = new Map();
    for (const [team, outgoing] of all) {
      if (team !== this.#team) tx.enterTeam(team);
      for (const [sends, ones] of outgoing) await sends(tx, ones as never[]);
    }
    if (this.#team !== now) tx.enterTeam(now);
  }

  async #commit(): Promise<void> {
    const answer = await this.#send({ text: 'COMMIT' }).catch(async (error: unknown) => {
      if (wasUndone(error) || wasUndone(this.#failure)) throw error;
      const { exchanges, role } = this.#options;
      const { backend } = this.#client;
      const outcome = await askOutcome(exchanges, { backend, trace: this.#trace, role, team: this.#team });
      if (outcome === 'unknown') {
        if (backend) this.#ended = untilEnded(exchanges, backend);
        throw new OutcomeUnknown(error);
      }
      if (outcome === 'undone') throw error;
    });
    // After a failed statement COMMIT acts as ROLLBACK without an error. The transaction must not count as committed.
    if (answer && answer.command !== 'COMMIT')
      throw this.#failure ?? new Error('The transaction was rolled back because a statement failed');
  }

  /** Returns the error that made the transaction fail. For later statements PostgreSQL only reports that the transaction is aborted. */
  #causeOf = (error: unknown): unknown => (sqlState(error) === transactionAborted ? (this.#failure ?? error) : error);

  #try(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
