import type { RowWithout } from '../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../platform/database/statement.ts';

export type SeatRow = RowWithout<'audit_seat', 'team_id' | 'created_by'> & { things: { type: string; id: string }[] };
const things = `(SELECT coalesce(jsonb_agg(jsonb_build_object('type', g.resource_type, 'id', g.resource_id) ORDER BY g.id), '[]') FROM access_grant g
     WHERE g.team_id = $team AND g.principal_id = s.account_id AND g.source = 'audit')`;
const columns = `s.account_id, s.journal_from, s.journal_to, s.may_export, s.version, s.created_at, s.updated_at, ${things} AS things`;

export const listSeats = sqlStatement<{ team: string; after: string; limit: number }, SeatRow>(
  `SELECT ${columns} FROM audit_seat s WHERE s.team_id = $team AND s.account_id > $after ORDER BY s.account_id LIMIT $limit + 1`,
);
export const findSeat = sqlStatement<TeamScopedId, SeatRow>(
  `SELECT ${columns} FROM audit_seat s WHERE s.team_id = $team AND s.account_id = $id`,
);

type Period = TeamScopedId & { from: string; to: string; mayExport: boolean; at: Date };
/** Adds the seat of an auditor. The end of an earlier membership deleted its seat. */
export const insertSeat = sqlStatement<Period & { by: string }, never>(
  `INSERT INTO audit_seat (team_id, account_id, journal_from, journal_to, may_export, created_by, created_at, updated_at)
   VALUES ($team, $id, $from, $to, $mayExport, $by, $at, $at)`,
);
export const updateSeat = sqlStatement<Period, never>(
  `UPDATE audit_seat SET journal_from = $from, journal_to = $to, may_export = $mayExport, version = version + 1, updated_at = $at
   WHERE team_id = $team AND account_id = $id`,
);
export const dropSeat = sqlStatement<{ team: string; user: string }, never>(
  'DELETE FROM audit_seat WHERE team_id = $team AND account_id = $user',
);
/** Ends the grants of a seat. */
export const dropSeatGrants = sqlStatement<TeamScopedId, never>(
  "DELETE FROM access_grant WHERE team_id = $team AND user_id = $id AND source = 'audit'",
);

/** Whether the seat of an auditor allows exports. */
export const seatExports = sqlStatement<TeamScopedId, { may_export: boolean }>(
  'SELECT may_export FROM audit_seat WHERE team_id = $team AND account_id = $id',
);
