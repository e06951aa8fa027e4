import pg from 'pg';
import { sqlStatement } from './statement.ts';

/** Sets role, team, the milliseconds that a statement may take, and the plan mode for the rest of the transaction, in one statement. */
export const enter = sqlStatement<{ role: string; team: string; limitMs: string; planMode: string }, never>(
  `SELECT set_config('role', $role, true), set_config('app.team_id', $team, true), set_config('statement_timeout', $limitMs, true),
     set_config('plan_cache_mode', $planMode, true)`,
);
/** The values of `enter` before the first statement of a connection. */
export const entersNobody = ['none', '', '0', 'auto'];

/**
 * A statement with optional parameters has a plan for its values: a filter that is null goes. All others have one plan for all values.
 * PostgreSQL would plan some of them at each call, which takes longer than they do.
 */
export const planModeOf = (text: string) => (/\$\d+(?:::\w+(?:\[\])?)? IS NULL/.test(text) ? 'auto' : 'force_generic_plan');
const planModes = new Map<string, string>();
/** Statements whose plan mode is kept. */
const maxPlanModes = 10_000;

function planMode({ name, text }: pg.QueryConfig): string {
  const known = name === undefined ? undefined : planModes.get(name);
  if (known !== undefined) return known;
  const mode = planModeOf(text);
  if (name !== undefined && planModes.size < maxPlanModes) planModes.set(name, mode);
  return mode;
}

/** What this file uses of the driver's connection (pg 8, lib/connection.js). */
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

/**
 * One statement in a transaction confined to a team, as one exchange. The statements between two Sync messages of the
 * extended protocol are one transaction (PostgreSQL documentation, 54.2.3): entering the team and the statement go out
 * before one Sync, so that neither BEGIN nor COMMIT is needed, and what was set ends with the exchange.
 *
 * `enter` must be prepared on the connection already. The answer to it comes first and is passed over.
 */
export class TeamExchange extends pg.Query {
  readonly #role: string;
  readonly #team: string;
  readonly #limitMs: number;
  readonly #planMode: string;
  #entered = false;
  /** Whether all of its answer has come, but for the end of the exchange. */
  complete = false;

  constructor(
    config: pg.QueryConfig,
    { role, team, limitMs }: { role: string; team: string; limitMs: number },
    answered: (error: Error | undefined, result?: pg.QueryResult) => void,
  ) {
    super(config, answered as never);
    this.#role = role;
    this.#team = team;
    this.#limitMs = limitMs;
    this.#planMode = planMode(config);
  }

  prepare(connection: Wire): void {
    connection.bind({
      statement: enter.name,
      values: [this.#role, this.#team, String(this.#limitMs), this.#planMode],
      valueMapper: (value) => value,
    });
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

/**
 * One statement for several teams, in one transaction: each enters its team and runs, and all are committed together by one
 * Sync, so that they wait for the disk once. One that fails undoes all.
 */
export class SharedExchange extends pg.Query {
  readonly #members: readonly TeamExchange[];
  #at = 0;

  /** The members run the same statement, `config`. Each is told its answer; an error is told to `failed` alone. */
  constructor(config: pg.QueryConfig, members: readonly TeamExchange[], failed: (error: Error | undefined) => void) {
    super({ name: config.name, text: config.text, values: [] } as pg.QueryConfig, failed as never);
    this.#members = members;
  }

  prepare(connection: Wire): void {
    let executed = 0;
    const unended: Wire = Object.create(connection, {
      sync: { value: () => undefined },
      execute: {
        value: (config: object) => {
          executed += 1;
          connection.execute(config);
        },
      },
    });
    for (const member of this.#members) member.prepare(unended);
    // Values that cannot be sent leave a gap, behind which each would get the answer of another.
    if (executed === 2 * this.#members.length) connection.sync();
    else connection.stream.destroy(new Error('a statement has values that cannot be sent'));
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
