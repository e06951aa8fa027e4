import { membersText, memberText, personText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';

export type OpeningRow = {
  id: string;
  folder_id: string;
  user_id: string;
  reason: string;
  asked_at: string;
  consented_by: string | null;
  consented_at: string | null;
  until: string | null;
  over: boolean;
};
const opening =
  'id, folder_id, user_id, reason, asked_at, consented_by, consented_at, until, coalesce(until, waits_until) <= now() AS over';

type Of = { team: string; folder: string };

/** The wall that stands around a folder itself, with whom its owner has named. */
export const findWall = sqlStatement<Of, { created_at: string; users: string[] }>(
  `SELECT w.created_at, ARRAY(
     SELECT m.user_id::text FROM folder_wall_member m WHERE m.team_id = $team AND m.folder_id = w.folder_id AND m.until IS NULL ORDER BY m.user_id
   ) AS users FROM folder_wall w WHERE w.team_id = $team AND w.folder_id = $folder`,
);

/** A row when no wall was there. */
export const putWall = sqlStatement<Of & { by: string; at: Date }, { folder_id: string }>(
  `INSERT INTO folder_wall (team_id, folder_id, set_by, created_at) VALUES ($team, $folder, $by, $at)
   ON CONFLICT (team_id, folder_id) DO NOTHING RETURNING folder_id`,
);

/** Those named are inside and nobody else, but for whom the glass was broken. */
export const dropUnnamed = sqlStatement<Of & { users: readonly string[] }, never>(
  `DELETE FROM folder_wall_member WHERE team_id = $team AND folder_id = $folder AND until IS NULL AND user_id <> ALL ($users::uuid[])`,
);
export const putNamed = sqlStatement<Of & { users: readonly string[] }, never>(
  `INSERT INTO folder_wall_member (team_id, folder_id, user_id) SELECT $team, $folder, unnest($users::uuid[])
   ON CONFLICT (team_id, folder_id, user_id) DO UPDATE SET until = NULL`,
);

export const deleteWall = sqlStatement<Of, { folder_id: string }>(
  'DELETE FROM folder_wall WHERE team_id = $team AND folder_id = $folder RETURNING folder_id',
);

/** A row when the folder has a wall that nobody is inside of for good. */
export const isDeserted = sqlStatement<Of, { folder_id: string }>(
  `SELECT w.folder_id FROM folder_wall w WHERE w.team_id = $team AND w.folder_id = $folder AND NOT EXISTS (
     SELECT FROM folder_wall_member m WHERE m.team_id = $team AND m.folder_id = $folder AND m.until IS NULL
   )`,
);

/** Says that a folder is not what it was. */
export const touchFolder = sqlStatement<Of & { at: Date }, never>(
  'UPDATE folder SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $folder',
);

export const wallOf = sqlStatement<Of, { wall_id: string }>('SELECT wall_id FROM folder WHERE team_id = $team AND id = $folder');

type Asker = Of & { user: string };

/** Puts the requests of one wall one after another. */
export const lockWall = sqlStatement<Of, { folder_id: string }>(
  'SELECT folder_id FROM folder_wall WHERE team_id = $team AND folder_id = $folder FOR UPDATE',
);

/** What somebody has asked of a wall in the last 24 hours, the newest first. */
export const recentOpenings = sqlStatement<Asker, OpeningRow>(
  `SELECT ${opening} FROM folder_wall_opening
   WHERE team_id = $team AND folder_id = $folder AND user_id = $user AND asked_at > now() - interval '24 hours' ORDER BY id DESC`,
);

/** What somebody has asked and nobody has consented to waits no longer. */
export const endRequests = sqlStatement<Asker, never>(
  `UPDATE folder_wall_opening SET waits_until = now()
   WHERE team_id = $team AND folder_id = $folder AND user_id = $user AND consented_by IS NULL AND waits_until > now()`,
);

export const askOpening = sqlStatement<Asker & { id: string; reason: string; hours: number }, OpeningRow>(
  `INSERT INTO folder_wall_opening (team_id, id, folder_id, user_id, reason, asked_at, waits_until)
   VALUES ($team, $id, $folder, $user, $reason, now(), now() + make_interval(hours => $hours)) RETURNING ${opening}`,
);

export const listOpenings = sqlStatement<Of, OpeningRow>(
  `SELECT ${opening} FROM folder_wall_opening WHERE team_id = $team AND folder_id = $folder ORDER BY id DESC LIMIT 500`,
);

export const lockOpening = sqlStatement<Of & { id: string }, OpeningRow>(
  `SELECT ${opening} FROM folder_wall_opening WHERE team_id = $team AND folder_id = $folder AND id = $id FOR UPDATE`,
);

/** Holds who has asked, so that they stay what they are until the transaction ends: before the request, as a change of role takes the two. */
export const holdAsker = sqlStatement<Of & { id: string }, { id: string }>(
  `SELECT a.id FROM folder_wall_opening o CROSS JOIN LATERAL (${personText('a.id', 'o.user_id')}) a
   WHERE o.team_id = $team AND o.folder_id = $folder AND o.id = $id FOR SHARE OF a`,
);

/** A row when the request still waited, of somebody who may still ask. */
export const consentOpening = sqlStatement<{ team: string; id: string; by: string; at: Date; hours: number }, OpeningRow>(
  `UPDATE folder_wall_opening o SET consented_by = $by, consented_at = $at, until = now() + make_interval(hours => $hours)
   WHERE o.team_id = $team AND o.id = $id AND o.consented_by IS NULL AND o.waits_until > now() AND EXISTS (
     ${memberText('', 'o.user_id')} AND a.role IN ('owner', 'admin')
   ) RETURNING ${opening}`,
);

/** Lets somebody in until the opening ends. Who was named meanwhile stays inside for good. */
export const letIn = sqlStatement<{ team: string; id: string }, never>(
  `INSERT INTO folder_wall_member AS m (team_id, folder_id, user_id, until)
   SELECT o.team_id, o.folder_id, o.user_id, o.until FROM folder_wall_opening o WHERE o.team_id = $team AND o.id = $id
   ON CONFLICT (team_id, folder_id, user_id) DO UPDATE SET until = CASE WHEN m.until IS NULL THEN NULL ELSE excluded.until END`,
);

/** Whom to write to: those inside, and for a request also those who may consent. */
export const wallPeople = sqlStatement<Of & { managers: boolean; but: string }, { id: string; email: string; locale: string }>(
  `SELECT a.id, a.email, a.locale FROM (${membersText('a.id, a.email, a.locale, a.role')}) a WHERE a.id <> $but
     AND (($managers AND a.role IN ('owner', 'admin')) OR a.id IN (
       SELECT m.user_id FROM folder_wall_member m WHERE m.team_id = $team AND m.folder_id = $folder AND m.until IS NULL
     )) ORDER BY a.id LIMIT 1000`,
);

const openingsEnd = 'UPDATE folder_wall_opening SET until = now() WHERE team_id = $team AND user_id = $user AND until > now()';

/** Nobody who has left is inside of anything. */
export const dropFromWalls = sqlStatement<{ team: string; user: string }, never>(
  `WITH asked AS (DELETE FROM folder_wall_opening WHERE team_id = $team AND user_id = $user AND consented_by IS NULL),
   ended AS (${openingsEnd})
   DELETE FROM folder_wall_member WHERE team_id = $team AND user_id = $user`,
);

/** The glass is not broken any more for somebody who is no administrator any more. Where they are named, they stay inside. */
export const endOpeningsOf = sqlStatement<{ team: string; user: string }, never>(
  `WITH ended AS (${openingsEnd})
   DELETE FROM folder_wall_member WHERE team_id = $team AND user_id = $user AND until IS NOT NULL`,
);
