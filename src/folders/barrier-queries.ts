import { membersText, memberText, personText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';
import { inViewText, viewText } from './visibility-queries.ts';

export type RequestRow = {
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
const request =
  'id, folder_id, user_id, reason, asked_at, consented_by, consented_at, until, coalesce(until, waits_until) <= now() AS over';

type Of = { team: string; folder: string };

/** A barrier as the register has it: `member` is named by it, `inside` also has emergency access. */
export type BarrierRow = {
  id: string;
  name: string;
  user_id: string;
  parent_id: string | null;
  created_at: string;
  member: boolean;
  inside: boolean;
};
/** The barriers of a team that no other barrier around them hides from a person. */
const seenBarriers = `WITH RECURSIVE ${viewText.manager}
   SELECT f.id, f.name, f.user_id, f.parent_id, w.created_at, f.id IN (SELECT barrier FROM open) AS inside,
     EXISTS (SELECT FROM folder_barrier_member m WHERE m.team_id = $team AND m.folder_id = f.id AND m.user_id = $user AND m.until IS NULL) AS member
   FROM folder_barrier w CROSS JOIN LATERAL (
     SELECT * FROM folder WHERE team_id = $team AND id = w.folder_id AND deleted_at IS NULL OFFSET 0
   ) f WHERE w.team_id = $team AND ${inViewText('f')}`;
export const seeBarrier = sqlStatement<{ team: string; user: string; id: string }, BarrierRow>(`${seenBarriers} AND w.folder_id = $id`);
export const listBarriers = sqlStatement<{ team: string; user: string; after: string; limit: number }, BarrierRow>(
  `${seenBarriers} AND w.folder_id > $after ORDER BY w.folder_id LIMIT $limit + 1`,
);

/** The barrier on a folder itself, with the members that it names. */
export const findBarrier = sqlStatement<Of, { created_at: string; users: string[] }>(
  `SELECT w.created_at, ARRAY(
     SELECT m.user_id::text FROM folder_barrier_member m WHERE m.team_id = $team AND m.folder_id = w.folder_id AND m.until IS NULL ORDER BY m.user_id
   ) AS users FROM folder_barrier w WHERE w.team_id = $team AND w.folder_id = $folder`,
);

/** A row when the folder had no barrier. */
export const putBarrier = sqlStatement<Of & { by: string; at: Date }, { folder_id: string }>(
  `INSERT INTO folder_barrier (team_id, folder_id, set_by, created_at) VALUES ($team, $folder, $by, $at)
   ON CONFLICT (team_id, folder_id) DO NOTHING RETURNING folder_id`,
);

/** Removes members that are not named any more. Emergency access stays. */
export const dropMembersExcept = sqlStatement<Of & { users: readonly string[] }, never>(
  `DELETE FROM folder_barrier_member WHERE team_id = $team AND folder_id = $folder AND until IS NULL AND user_id <> ALL ($users::uuid[])`,
);
export const putMembers = sqlStatement<Of & { users: readonly string[] }, never>(
  `INSERT INTO folder_barrier_member (team_id, folder_id, user_id) SELECT $team, $folder, unnest($users::uuid[])
   ON CONFLICT (team_id, folder_id, user_id) DO UPDATE SET until = NULL`,
);

export const deleteBarrier = sqlStatement<Of, { folder_id: string }>(
  'DELETE FROM folder_barrier WHERE team_id = $team AND folder_id = $folder RETURNING folder_id',
);

/** Says that a folder is not what it was. */
export const touchFolder = sqlStatement<Of & { at: Date }, never>(
  'UPDATE folder SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $folder',
);

export const barrierOf = sqlStatement<Of, { barrier_id: string }>('SELECT barrier_id FROM folder WHERE team_id = $team AND id = $folder');

type Asker = Of & { user: string };

/** Serialises the requests for one barrier. */
export const lockBarrier = sqlStatement<Of, { folder_id: string }>(
  'SELECT folder_id FROM folder_barrier WHERE team_id = $team AND folder_id = $folder FOR UPDATE',
);

/** The requests of a person for a barrier in the last 24 hours, the newest first. */
export const recentRequests = sqlStatement<Asker, RequestRow>(
  `SELECT ${request} FROM folder_emergency_access
   WHERE team_id = $team AND folder_id = $folder AND user_id = $user AND asked_at > now() - interval '24 hours' ORDER BY id DESC`,
);

/** Ends the pending requests of a person. */
export const endRequests = sqlStatement<Asker, never>(
  `UPDATE folder_emergency_access SET waits_until = now()
   WHERE team_id = $team AND folder_id = $folder AND user_id = $user AND consented_by IS NULL AND waits_until > now()`,
);

export const insertRequest = sqlStatement<Asker & { id: string; reason: string; hours: number }, RequestRow>(
  `INSERT INTO folder_emergency_access (team_id, id, folder_id, user_id, reason, asked_at, waits_until)
   VALUES ($team, $id, $folder, $user, $reason, now(), now() + make_interval(hours => $hours)) RETURNING ${request}`,
);

export const listRequests = sqlStatement<Of, RequestRow>(
  `SELECT ${request} FROM folder_emergency_access WHERE team_id = $team AND folder_id = $folder ORDER BY id DESC LIMIT 500`,
);

export const lockRequest = sqlStatement<Of & { id: string }, RequestRow>(
  `SELECT ${request} FROM folder_emergency_access WHERE team_id = $team AND folder_id = $folder AND id = $id FOR UPDATE`,
);

/** Locks the person of a request, whose role stays until the transaction ends: before the request, as a change of role locks the two. */
export const lockRequester = sqlStatement<Of & { id: string }, { id: string }>(
  `SELECT a.id FROM folder_emergency_access o CROSS JOIN LATERAL (${personText('a.id', 'o.user_id')}) a
   WHERE o.team_id = $team AND o.folder_id = $folder AND o.id = $id FOR SHARE OF a`,
);

/** A row when the request was pending, of a person who is still an administrator. */
export const approveRequest = sqlStatement<{ team: string; id: string; by: string; at: Date; hours: number }, RequestRow>(
  `UPDATE folder_emergency_access o SET consented_by = $by, consented_at = $at, until = now() + make_interval(hours => $hours)
   WHERE o.team_id = $team AND o.id = $id AND o.consented_by IS NULL AND o.waits_until > now() AND EXISTS (
     ${memberText('', 'o.user_id')} AND a.role IN ('owner', 'admin')
   ) RETURNING ${request}`,
);

/** Adds a person until the emergency access ends. A person who became a member meanwhile stays one. */
export const addEmergencyMember = sqlStatement<{ team: string; id: string }, never>(
  `INSERT INTO folder_barrier_member AS m (team_id, folder_id, user_id, until)
   SELECT o.team_id, o.folder_id, o.user_id, o.until FROM folder_emergency_access o WHERE o.team_id = $team AND o.id = $id
   ON CONFLICT (team_id, folder_id, user_id) DO UPDATE SET until = CASE WHEN m.until IS NULL THEN NULL ELSE excluded.until END`,
);

/** The people who get a mail: members, and for a request also those who may approve. */
export const barrierPeople = sqlStatement<Of & { managers: boolean; but: string }, { id: string; email: string; locale: string }>(
  `SELECT a.id, a.email, a.locale FROM (${membersText('a.id, a.email, a.locale, a.role')}) a WHERE a.id <> $but
     AND (($managers AND a.role IN ('owner', 'admin')) OR a.id IN (
       SELECT m.user_id FROM folder_barrier_member m WHERE m.team_id = $team AND m.folder_id = $folder AND m.until IS NULL
     )) ORDER BY a.id LIMIT 1000`,
);

const accessEnds = 'UPDATE folder_emergency_access SET until = now() WHERE team_id = $team AND user_id = $user AND until > now()';

/** A person who leaves the team is a member of no barrier. Where they were the last member, the successor is one: the rows say of which. */
export const leaveBarriers = sqlStatement<{ team: string; user: string; successor: string }, { folder_id: string }>(
  `WITH asked AS (DELETE FROM folder_emergency_access WHERE team_id = $team AND user_id = $user AND consented_by IS NULL),
   ended AS (${accessEnds}),
   gone AS (DELETE FROM folder_barrier_member WHERE team_id = $team AND user_id = $user RETURNING folder_id, until)
   INSERT INTO folder_barrier_member (team_id, folder_id, user_id)
   SELECT $team, gone.folder_id, $successor FROM gone WHERE gone.until IS NULL AND NOT EXISTS (
     SELECT FROM folder_barrier_member m WHERE m.team_id = $team AND m.folder_id = gone.folder_id AND m.user_id <> $user AND m.until IS NULL
   ) ON CONFLICT (team_id, folder_id, user_id) DO UPDATE SET until = NULL RETURNING folder_id`,
);

/** Ends the emergency access of a person who is no administrator any more. Where they are a member, they stay. */
export const endEmergencyAccessOf = sqlStatement<{ team: string; user: string }, never>(
  `WITH ended AS (${accessEnds})
   DELETE FROM folder_barrier_member WHERE team_id = $team AND user_id = $user AND until IS NOT NULL`,
);
