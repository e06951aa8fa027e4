import { memberCountText } from '#accounts';
import { sqlStatement, type Statement } from '../platform/database/statement.ts';
import type { OwnedTable } from '../platform/tables.ts';

type InTeam = { team: string };

export type TeamInUse = Statement<InTeam, { members: number; content: boolean }>;

/** Whether a team has others in it, and whether it has what its people would miss if it were closed, as the tables say. */
export const teamInUse = (tables: readonly OwnedTable[]): TeamInUse =>
  sqlStatement<InTeam, { members: number; content: boolean }>(
    `SELECT ${memberCountText} AS members,
       ${tables
         .flatMap(({ name, table: { content } }) =>
           content === undefined ? [] : `EXISTS (SELECT FROM ${name} WHERE team_id = $team AND ${content})`,
         )
         .join(' OR ')} AS content`,
  );
