import type pg from 'pg';
import { OutcomeUnknown, wasUndone } from '../errors.ts';
import type { DatabaseLimits } from '../limits.ts';
import type { Connection } from '../pool.ts';
import { SharedConnections } from './shared-connections.ts';
import { BatchExchange, type BoundStatement, TeamExchange } from './team-exchange.ts';

/** The team and person of a statement and the row that it changes; returns no row if it only reads. */
export type BatchKey = { team: string; row: string | undefined; person?: string | undefined };
type PendingStatement = BatchKey & {
  statement: BoundStatement;
  resolve: (result: pg.QueryResult) => void;
  reject: (error: unknown) => void;
};

const role = 'chancery_app';
const connections = 2;
/** Maximum number of statements in a batch. A larger batch would lock rows for too long. */
const maxBatch = 16;

/** Sorts statements by team and row, so that batches lock rows in the same order and never deadlock. */
function byTeamAndRow(a: PendingStatement, b: PendingStatement): number {
  if (a.team !== b.team) return a.team < b.team ? -1 : 1;
  return (a.row ?? '') < (b.row ?? '') ? -1 : 1;
}

/** Returns the error of one statement. After a lost connection the result of a change is unknown. */
const errorOf = ({ row }: PendingStatement, error: unknown): unknown =>
  wasUndone(error) || row === undefined ? error : new OutcomeUnknown(error);

/**
 * Collects the statements of one turn of the event loop and sends equal statements as one exchange with one commit. If one fails, all are sent again
 * separately, so that only that one fails.
 */
export class StatementBatcher {
  readonly #connections: SharedConnections;
  readonly #limitMs: number;
  #waiting: PendingStatement[] = [];

  constructor(connection: Connection, options: { applicationName: string; limits: DatabaseLimits; onLost: (error: Error) => void }) {
    this.#limitMs = options.limits.batchMs;
    this.#connections = new SharedConnections(connection, { ...options, connections, limitMs: this.#limitMs });
  }

  run(key: BatchKey, statement: BoundStatement): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ ...key, statement, resolve, reject }) === 1) setImmediate(() => this.#flush());
    });
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #flush(): void {
    const groups = Map.groupBy(this.#waiting.splice(0), ({ statement }) => statement.text);
    for (const group of groups.values()) while (group.length > 0) void this.#send(group.splice(0, maxBatch).toSorted(byTeamAndRow));
  }

  async #send(batch: readonly PendingStatement[]): Promise<void> {
    const [first] = batch;
    if (!first) return;
    if (batch.length === 1) return this.#sendAlone(first);
    const deliveries: (() => void)[] = [];
    try {
      await this.#connections.send((failed) => {
        const members = batch.map(
          ({ statement, resolve, reject, ...key }) =>
            new TeamExchange(statement, this.#as(key), (error, result) =>
              deliveries.push(() => (result ? resolve(result) : reject(error))),
            ),
        );
        return new BatchExchange(first.statement, members, failed);
      });
      for (const deliver of deliveries) deliver();
    } catch (error) {
      if (wasUndone(error)) for (const waiting of batch) void this.#sendAlone(waiting);
      else for (const waiting of batch) waiting.reject(errorOf(waiting, error));
    }
  }

  async #sendAlone(waiting: PendingStatement): Promise<void> {
    const { statement, resolve, reject } = waiting;
    await this.#connections.run(statement, this.#as(waiting)).then(resolve, (error: unknown) => reject(errorOf(waiting, error)));
  }

  #as = ({ team, person }: BatchKey) => ({ role, team, person, limitMs: this.#limitMs });
}
