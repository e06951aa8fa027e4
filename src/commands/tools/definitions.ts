import type { Logger } from 'pino';
import { oldForms } from '#forms';
import { oldSteps } from '#workflows';
import type { Config } from '../../config.ts';
import { withDatabase } from '../../open-database.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Statement } from '../../platform/database/statement.ts';

/** A stored definition that a new rule would reject, and the reason. */
export type OldDefinition = { team: string; place: string; reason: string };

type DefinitionRow = { team_id: string; place: string };
type Listing<R extends DefinitionRow> = {
  rows: Statement<{ team: string; place: string; limit: number }, R>;
  reasonsOf: (row: R) => readonly string[];
};
type Report = (definition: OldDefinition) => void;

const rowBatchSize = 200;

/** Calls `report` for each stored definition that a new rule would reject. Changes no definition. */
export function reportDefinitions(config: Config, log: Logger, report: Report): Promise<void> {
  return withDatabase(config, log, async (database) => {
    await reportEach(database, oldSteps, report);
    await reportEach(database, oldForms, report);
  });
}

async function reportEach<R extends DefinitionRow>(database: Database, { rows, reasonsOf }: Listing<R>, report: Report): Promise<void> {
  let page = { team: '00000000-0000-0000-0000-000000000000', place: '', limit: rowBatchSize };
  for (;;) {
    const found = await database.asSystem('list definitions that keep to an older rule', (tx) => tx.all(rows, page));
    for (const row of found) for (const reason of reasonsOf(row)) report({ team: row.team_id, place: row.place, reason });
    const last = found.at(-1);
    if (!last || found.length < rowBatchSize) return;
    page = { team: last.team_id, place: last.place, limit: rowBatchSize };
  }
}
