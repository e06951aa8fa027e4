import type { Compilable } from 'kysely';
import type { Statement } from './statement.ts';

/** Runs statements. What it may see is decided by whoever made it: a team, nobody, or the system. */
export type Reader = {
  /** All rows. */
  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
  /** The first row, if there is one. */
  first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined>;
  /** A query built for this call alone (filters): compiled each time, so prefer {@link Statement}. */
  query<Row>(query: Compilable<Row>): Promise<Row[]>;
};

/**
 * Sends what was added to it in a transaction (see `Transaction.atEnd`): the rows of several acts by one statement.
 *
 * @param all what was added, in its order; at least one
 */
export type Outgoing<One> = (tx: Transaction, all: readonly One[]) => Promise<void>;

/** An open transaction. Statements are sent at once, in order, without waiting for one another's answers. */
export type Transaction = Reader & {
  /** Sends a statement whose rows nobody needs. Its failure is the failure of the transaction, met at the commit at the latest. */
  send<Params extends object>(statement: Statement<Params, never>, params: Params): void;
  /**
   * Takes a lock and does what it guards: reads what holds until the transaction ends, or counts and inserts. Both leave in one
   * packet, the lock before; a condition on what is locked is looked at in `work`, not before.
   */
  locked<Params extends object, T>(lock: Statement<Params, unknown>, params: Params, work: () => Promise<T>): Promise<T>;
  /**
   * Names a row of this transaction that nobody changes or removes: when the connection is lost at the commit, it tells
   * whether there was one.
   */
  leaves<Params extends object>(statement: Statement<Params, unknown>, params: Params): void;
  /**
   * Tries something that may be refused while the rest of the transaction stands: of what rejects nothing stays, neither rows nor
   * what was to follow the commit. `work` is given the transaction that it uses.
   */
  attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Adds to what leaves at the end of the transaction, before its commit: what several acts of it write into the same table is
   * sent at once. Whoever reads that table in this transaction sends it before, by {@link Transaction.sendAdded}.
   */
  atEnd<One>(outgoing: Outgoing<One>, one: One): void;
  /** Sends what was added so far, without waiting for answers that are of no use to it. */
  sendAdded(): Promise<void>;
  /** Runs after the commit, never after a rollback: cache drops, wake-ups. Its failure is not that of the transaction. */
  afterCommit(work: () => void): void;
  /** Tells all nodes once this is committed (NOTIFY): a hint that there is something to look at, which polling finds as well. */
  notify(channel: string, payload: string): void;
  /** Counts what a team takes of a budget over time (platform/limits), once this is committed. */
  spend(team: string, name: string, amount: number): void;
  /** Confines the rest of the transaction to a team, once that team is known (sign-in, links). */
  enterTeam(team: string): void;
  /**
   * Proves the credential of the transaction now instead of at its end: for what ends that very credential, once the row of
   * its holder is locked. Without a credential, or when it was proven before, nothing.
   */
  prove(): void;
};
