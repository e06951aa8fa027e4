import type { Compilable } from 'kysely';
import type { Statement } from './statement.ts';

/** Runs statements. Its creator decides which rows it can see: those of a team, of no team, or all. */
export type Reader = {
  /** Returns all rows. */
  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
  /** Returns the first row, or undefined. */
  first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined>;
  /** Runs a query that was built for this call (filters). It is compiled each time, so prefer {@link Statement}. */
  query<Row>(query: Compilable<Row>): Promise<Row[]>;
};

/**
 * Sends the rows that several actions added in a transaction (see `Transaction.atEnd`) with one statement.
 *
 * @param all the added rows in order; at least one
 */
export type Outgoing<One> = (tx: Transaction, all: readonly One[]) => Promise<void>;

/** An open transaction. Statements are sent immediately and in order, without waiting for earlier responses. */
export type Transaction = Reader & {
  /** Sends a statement without result rows. If it fails, the transaction fails, at the commit at the latest. */
  send<Params extends object>(statement: Statement<Params, never>, params: Params): void;
  /**
   * Acquires a lock and runs `work` under it, for example reads rows that must not change, or counts and inserts. Both are sent in one
   * packet, the lock first. Check conditions on the locked rows in `work`, not before.
   */
  locked<Params extends object, T>(lock: Statement<Params, unknown>, params: Params, work: () => Promise<T>): Promise<T>;
  /**
   * Names a row that this transaction writes and that never changes. If the connection is lost during the commit, the row shows whether the
   * transaction committed.
   */
  leaves<Params extends object>(statement: Statement<Params, unknown>, params: Params): void;
  /**
   * Runs work that may fail without failing the transaction. If it rejects, its rows and its
   * post-commit callbacks are discarded. `work` must use the transaction that it gets.
   */
  attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Adds a row that is sent before the commit, together with rows of other actions for the same table.
   * Call {@link Transaction.sendAdded} before you read that table in this transaction.
   */
  atEnd<One>(outgoing: Outgoing<One>, one: One): void;
  /** Sends the rows added so far, without waiting for responses that it does not need. */
  sendAdded(): Promise<void>;
  /**
   * Registers a callback that runs after the commit and never after a rollback, for example to clear caches. An error does not fail the transaction.
   */
  afterCommit(work: () => void): void;
  /** Notifies all nodes after the commit (NOTIFY). A notification can be lost; polling finds the same work. */
  notify(channel: string, payload: string): void;
  /** Counts usage of a rate budget of a team (platform/limits) after the commit. */
  spend(team: string, name: string, amount: number): void;
  /**
   * Limits the rest of the transaction to a team when the team is known (sign-in, links). `person` has the effect of {@link Transaction.enterPerson}.
   */
  enterTeam(team: string, person?: string): void;
  /** Opens the tables of a person to the rest of the transaction: sign-ins, factors, password and profile. */
  enterPerson(person: string): void;
  /**
   * Checks the credential of the transaction now instead of at its end. Actions that end this credential call it after they lock the row of its
   * owner. Does nothing without a credential or after an earlier check.
   */
  prove(): void;
};
