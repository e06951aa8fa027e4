import type { Row } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { FormBinding } from './form-binding.ts';
import type { Calendar, Definition } from './schemas.ts';

/** Returns the target of a link by the hash of its token. Runs outside of the team. */
export const interfaceByLink = sqlStatement<
  { team: string; hash: Buffer },
  Row<'interface_link', 'interface_id' | 'channel' | 'task_id' | 'person_id'> & { link_id: string; retired: boolean }
>('SELECT interface_id, link_id, channel, retired, task_id, person_id FROM interface_by_link($team, $hash)');

export type LinkRow = { id: string; channel: string; sealed: Buffer };

/** Returns the current links of a form. */
export const currentLinks = sqlStatement<TeamScopedId, LinkRow>(
  `SELECT id, channel, sealed FROM interface_link
   WHERE team_id = $team AND interface_id = $id AND retired_at IS NULL AND channel IN ('public', 'api') ORDER BY channel`,
);

/** Retires a link. Sessions that used it stay valid for a day. */
export const retireLink = sqlStatement<TeamScopedId & { channel: string; at: Date }, never>(
  `UPDATE interface_link SET retired_at = $at
   WHERE team_id = $team AND interface_id = $id AND channel = $channel AND retired_at IS NULL`,
);

export const insertLink = sqlStatement<
  {
    team: string;
    id: string;
    interface: string;
    channel: string;
    hash: Buffer;
    sealed: Buffer;
    at: Date;
    expires: Date | null;
    by: string | null;
  },
  never
>(
  `INSERT INTO interface_link (team_id, id, interface_id, channel, person_id, hash, sealed, created_at, expires_at)
   VALUES ($team, $id, $interface, $channel, $by, $hash, $sealed, $at, $expires)`,
);

export type VisitedRow = Row<'interface', 'id' | 'type' | 'title' | 'status' | 'owner_id' | 'folder_id'> & {
  calendar: Calendar | null;
  version: number;
  definition: Definition;
  uses_by: string;
  bindings: FormBinding[];
  /** The number of submissions. */
  taken: number;
  /** The branding of the team. */
  brand_name: string | null;
  brand_colour: string | null;
  brand_logo: string | null;
};

/**
 * Returns the published version of a form for visitors. Returns no row for drafts and deleted or suspended forms. A form in a closed matter is closed.
 */
export const visitedInterface = sqlStatement<TeamScopedId, VisitedRow>(
  `SELECT i.id, i.type, i.title, CASE WHEN in_closed_matter($team, i.folder_id) THEN 'closed' ELSE i.status END AS status, i.owner_id, i.folder_id, calendar_definition($team, i.id) AS calendar, v.number AS version, v.definition, v.uses_by, v.bindings,
     coalesce(c.taken, 0)::int AS taken,
     b.name AS brand_name, b.colour AS brand_colour, b.logo_hash AS brand_logo
   FROM interface i
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   LEFT JOIN interface_count c ON c.team_id = $team AND c.interface_id = i.id
   LEFT JOIN team_brand b ON b.team_id = $team
   WHERE i.team_id = $team AND i.id = $id AND i.deleted_at IS NULL AND i.suspended_at IS NULL`,
);
