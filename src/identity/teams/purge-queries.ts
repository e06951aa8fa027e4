import { teamsToErase } from '#accounts';
import { sqlStatement } from '../../platform/database/statement.ts';
import type { TableFile } from '../../platform/tables.ts';

/** Erases up to 5000 rows of a team from one table and returns the files that they referred to. Callers repeat the statement until no rows remain. */
export const eraseStatement = (table: string, file?: TableFile) =>
  // `ctid` limits every plan to the selected rows. In a partitioned table it can
  // match a row of another partition, which is safe: all rows of the team are erased.
  sqlStatement<{ team: string }, { erased: number; files: string[] }>(
    `WITH gone AS (
       DELETE FROM ${table} WHERE team_id = $team AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE team_id = $team LIMIT 5000)) RETURNING ${file?.key ?? "''"} AS file
     ) SELECT count(*)::int AS erased, ${file ? "coalesce(array_agg(file) FILTER (WHERE file IS NOT NULL), '{}')" : "'{}'::text[]"} AS files FROM gone`,
  );

export const teamPurge = 'team-purge';
export const dueTeams = teamsToErase(teamPurge);
