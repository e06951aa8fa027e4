import { sqlStatement } from '../../../platform/database/statement.ts';
import type { VisitedRow } from '../link-queries.ts';

/** A draft in the shape of a published form. */
export type PreviewedRow = Pick<VisitedRow, 'id' | 'type' | 'calendar' | 'definition' | 'brand_name' | 'brand_colour' | 'brand_logo'> & {
  revision: number;
  owner_id: string;
};

/** Returns the draft of a form for its preview link. */
export const previewedInterface = sqlStatement<{ team: string; id: string }, PreviewedRow>(
  `SELECT i.id, i.type, calendar_definition($team, i.id) AS calendar, i.draft AS definition, i.revision, i.owner_id,
     b.name AS brand_name, b.colour AS brand_colour, b.logo_hash AS brand_logo
   FROM interface i LEFT JOIN team_brand b ON b.team_id = $team
   WHERE i.team_id = $team AND i.id = $id AND i.deleted_at IS NULL AND i.suspended_at IS NULL`,
);
