import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

/** The maximum number of open reports of one interface. Further reports add no information. */
const maxOfOne = 100;

/** Stores a report of an existing interface. */
export const insertReport = sqlStatement<{ team: string; id: string; interface: string; reason: string; text: string; at: Date }, never>(
  `INSERT INTO interface_report (team_id, id, interface_id, reason, text, created_at)
   SELECT $team, $id, i.id, $reason, $text, $at FROM interface i
   WHERE i.team_id = $team AND i.id = $interface AND i.deleted_at IS NULL
     AND (SELECT count(*) FROM (SELECT FROM interface_report r WHERE r.team_id = $team AND r.interface_id = $interface LIMIT ${maxOfOne}) kept) < ${maxOfOne}`,
);

/** Deletes the reports of a form. */
export const endReports = sqlStatement<TeamScopedId, { id: string }>(
  'DELETE FROM interface_report WHERE team_id = $team AND interface_id = $id RETURNING id',
);

export type ReportCursor = { before: string | null; beforeId: string | null; limit: number };

export type ReportRow = Row<'interface_report'> & {
  title: string;
  suspended: boolean;
  /** The current public link of the form. */
  link_id: string | null;
  sealed: Buffer | null;
};
/** Lists the reports of all teams, newest first. */
export const listReports = sqlStatement<ReportCursor, ReportRow>(
  `SELECT r.id, r.team_id, r.interface_id, i.title, i.suspended_at IS NOT NULL AS suspended, r.reason, r.text, r.created_at,
     l.id AS link_id, l.sealed
   FROM interface_report r
   JOIN interface i ON i.team_id = r.team_id AND i.id = r.interface_id
   LEFT JOIN interface_link l ON l.team_id = r.team_id AND l.interface_id = r.interface_id AND l.channel = 'public' AND l.retired_at IS NULL
   WHERE $before::timestamptz IS NULL OR (r.created_at, r.id) < ($before, $beforeId::uuid)
   ORDER BY r.created_at DESC, r.id DESC LIMIT $limit + 1`,
);
