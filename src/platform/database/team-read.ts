import pg from 'pg';
import { statementName } from './statement.ts';

const text = "SELECT set_config('role', $1, true), set_config('app.team_id', $2, true)";

/** Sets role and team for the rest of the transaction, in one statement. */
export const enter = { name: statementName(text), text };

/** What this file uses of the driver's connection (pg 8, lib/connection.js). */
type Wire = {
  bind(config: { statement: string; values: string[]; valueMapper: (value: string) => string }): void;
  execute(config: object): void;
};

type Handlers = {
  prepare(this: pg.Query, connection: Wire): void;
  handleDataRow(this: pg.Query, message: object): void;
  handleCommandComplete(this: pg.Query, message: object, connection: Wire): void;
};

const driver = pg.Query.prototype as unknown as Handlers;

/**
 * One statement in a transaction confined to a team, as one exchange. The statements between two Sync messages of the
 * extended protocol are one transaction (PostgreSQL documentation, 54.2.3): entering the team and the statement go out
 * before one Sync, so that neither BEGIN nor COMMIT is needed, and what was set ends with the exchange.
 *
 * `enter` must be prepared on the connection already. The answer to it comes first and is passed over.
 */
export class TeamRead extends pg.Query {
  readonly #role: string;
  readonly #team: string;
  #entered = false;

  constructor(
    config: pg.QueryConfig,
    { role, team }: { role: string; team: string },
    answered: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(config, answered as never);
    this.#role = role;
    this.#team = team;
  }

  prepare(connection: Wire): void {
    connection.bind({ statement: enter.name, values: [this.#role, this.#team], valueMapper: (value) => value });
    connection.execute({});
    driver.prepare.call(this, connection);
  }

  handleDataRow(message: object): void {
    if (this.#entered) driver.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: object, connection: Wire): void {
    if (this.#entered) driver.handleCommandComplete.call(this, message, connection);
    this.#entered = true;
  }
}
