import { sqlStatement, type Statement } from '../../platform/database/statement.ts';
import type { OwnedTable } from '../../platform/tables.ts';

type TeamKey = { team: string };

export type TeamInUse = Statement<TeamKey, { content: boolean }>;

/** Whether a team has content that its members would miss if it were closed, by the declarations of the tables. */
export const teamInUse = (tables: readonly OwnedTable[]): TeamInUse =>
  sqlStatement<TeamKey, { content: boolean }>(
    `SELECT ${tables
      .flatMap(({ name, table: { content } }) =>
        content === undefined ? [] : `EXISTS (SELECT FROM ${name} WHERE team_id = $team AND ${content})`,
      )
      .join(' OR ')} AS content`,
  );
