import { teamsToErase } from '#accounts';
import { sqlStatement } from '../../platform/database/statement.ts';
import type { TableFile } from '../../platform/tables.ts';

/** Erases some rows of a team of one table that says that it is erased; repeated until there are none. Answers the files that they referred to. */
export const eraseStatement = (table: string, file?: TableFile) =>
  // By their places, which no plan can turn into a walk over the rows of others. A place of another partition may be meant as well: of this team all are.
  sqlStatement<{ team: string }, { erased: number; files: string[] }>(
    `WITH gone AS (
       DELETE FROM ${table} WHERE team_id = $team AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE team_id = $team LIMIT 5000)) RETURNING ${file?.key ?? "''"} AS file
     ) SELECT count(*)::int AS erased, ${file ? "coalesce(array_agg(file) FILTER (WHERE file IS NOT NULL), '{}')" : "'{}'::text[]"} AS files FROM gone`,
  );

export const teamPurge = 'team-purge';
export const dueTeams = teamsToErase(teamPurge);
