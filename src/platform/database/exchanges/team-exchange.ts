import pg from 'pg';
import { sqlStatement } from '../statement.ts';

/** Sets role, team, person, the limit of a statement in milliseconds, and the plan mode for the rest of the transaction, in one statement. */
export const enter = sqlStatement<{ role: string; team: string; person: string; limitMs: string; planMode: string }, never>(
  `SELECT set_config('role', $role, true), set_config('app.team_id', $team, true), set_config('app.person_id', $person, true),
     set_config('statement_timeout', $limitMs, true), set_config('plan_cache_mode', $planMode, true)`,
);
/** The values of `enter` before the first statement of a connection. */
export const initialEnterValues = ['none', '', '', '0', 'auto'];

/**
 * Returns the plan mode of a statement. With optional parameters PostgreSQL plans for each set of values, which removes null filters.
 * All other statements use a generic plan, because planning at each call can take longer than the execution.
 */
export const planModeOf = (text: string) => (/\$\d+(?:::\w+(?:\[\])?)? IS NULL/.test(text) ? 'auto' : 'force_generic_plan');
const planModes = new Map<string, string>();
/** The maximum number of entries in `planModes`. */
const maxPlanModes = 10_000;

function planMode({ name, text }: BoundStatement): string {
  const known = name === undefined ? undefined : planModes.get(name);
  if (known !== undefined) return known;
  const mode = planModeOf(text);
  if (name !== undefined && planModes.size < maxPlanModes) planModes.set(name, mode);
  return mode;
}

/** The part of the pg connection that this file uses (pg 8, lib/connection.js). */
type Wire = {
  bind(config: { statement: string; values: string[]; valueMapper: (value: string) => string }): void;
  execute(config: object): void;
  sync(): void;
  stream: { destroy(error: Error): void };
};

type Handlers = {
  prepare(this: pg.Query, connection: Wire): void;
  handleDataRow(this: pg.Query, message: object): void;
  handleRowDescription(this: pg.Query, message: object): void;
  handleCommandComplete(this: pg.Query, message: object, connection: Wire): void;
  handleReadyForQuery(this: pg.Query, connection: Wire): void;
};

const driver = pg.Query.prototype as unknown as Handlers;

/** A statement with its values, in the form of pg. */
export type BoundStatement = { name?: string; text: string; values?: unknown[] };
/** The role, team and person of a statement, and its limit in milliseconds. */
export type ExecuteAs = { role: string; team: string; person?: string | undefined; limitMs: number };
/** Receives the result of an exchange, or its error. */
export type Callback = (error: Error | undefined, result?: pg.QueryResult) => void;

/**
 * One statement in a transaction of a team, as one exchange. The statements between two Sync messages of the extended protocol are one transaction
 * (PostgreSQL documentation, 54.2.3). `enter` and the statement precede one Sync, so no BEGIN or COMMIT is needed, and the settings end with the
 * exchange.
 *
 * `enter` must be prepared on the connection. The response to `enter` comes first and is ignored.
 */
export class TeamExchange extends pg.Query {
  readonly #settings: string[];
  #entered = false;
  /** Whether the complete result has arrived. */
  complete = false;

  constructor(statement: BoundStatement, { role, team, person = '', limitMs }: ExecuteAs, callback: Callback) {
    super(statement, callback as never);
    this.#settings = [role, team, person, String(limitMs), planMode(statement)];
  }

  prepare(connection: Wire): void {
    connection.bind({ statement: enter.name, values: this.#settings, valueMapper: (value) => value });
    connection.execute({});
    driver.prepare.call(this, connection);
  }

  handleDataRow(message: object): void {
    if (this.#entered) driver.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: object, connection: Wire): void {
    if (this.#entered) {
      driver.handleCommandComplete.call(this, message, connection);
      this.complete = true;
    }
    this.#entered = true;
  }
}

/** Runs one statement for several teams in one transaction: one Sync commits all, with one disk write. An error rolls all back. */
export class BatchExchange extends pg.Query {
  readonly #members: readonly TeamExchange[];
  #at = 0;

  /** Each member receives its own result. `failed` receives an error of the batch. */
  constructor({ name, text }: BoundStatement, members: readonly TeamExchange[], failed: Callback) {
    super({ name, text, values: [] } as pg.QueryConfig, failed as never);
    this.#members = members;
  }

  prepare(connection: Wire): void {
    let executed = 0;
    const withoutSync: Wire = Object.create(connection, {
      sync: { value: () => undefined },
      execute: {
        value: (config: object) => {
          executed += 1;
          connection.execute(config);
        },
      },
    });
    for (const member of this.#members) member.prepare(withoutSync);
    // A value that cannot be sent leaves a gap. Each later member would receive the result of another.
    if (executed === 2 * this.#members.length) connection.sync();
    else connection.stream.destroy(new Error('A statement has values that cannot be sent'));
  }

  handleRowDescription(message: object): void {
    const member = this.#members[this.#at];
    if (member) driver.handleRowDescription.call(member, message);
  }

  handleDataRow(message: object): void {
    this.#members[this.#at]?.handleDataRow(message);
  }

  handleCommandComplete(message: object, connection: Wire): void {
    const member = this.#members[this.#at];
    member?.handleCommandComplete(message, connection);
    if (member?.complete) this.#at += 1;
  }

  handleReadyForQuery(connection: Wire): void {
    for (const member of this.#members) driver.handleReadyForQuery.call(member, connection);
    driver.handleReadyForQuery.call(this, connection);
  }
}
