import { sqlStatement, type Statement } from '../../platform/database/statement.ts';
import type { OwnedTable } from '../../platform/tables.ts';

type InTeam = { team: string };

export type TeamInUse = Statement<InTeam, { content: boolean }>;

/** Whether a team has what its people would miss if it were closed, as the tables say. */
export const teamInUse = (tables: readonly OwnedTable[]): TeamInUse =>
  sqlStatement<InTeam, { content: boolean }>(
    `SELECT ${tables
      .flatMap(({ name, table: { content } }) =>
        content === undefined ? [] : `EXISTS (SELECT FROM ${name} WHERE team_id = $team AND ${content})`,
      )
      .join(' OR ')} AS content`,
  );
