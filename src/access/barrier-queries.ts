import type { RowWithout } from '../platform/database/row.ts';
import { sqlStatement } from '../platform/database/statement.ts';

export type EmergencyRow = RowWithout<'access_emergency', 'team_id' | 'waits_until'> & { is_over: boolean };
const request =
  'id, barrier_id, user_id, reason, requested_at, approved_by, approved_at, expires_at, coalesce(expires_at, waits_until) <= now() AS is_over';

type BarrierKey = { team: string; barrier: string };

/** Returns SQL for the members of a barrier as an array. */
const membersOf = (principal: string) => `ARRAY(
     SELECT m.${principal}::text FROM access_barrier_member m
     WHERE m.team_id = $team AND m.barrier_id = b.id AND m.expires_at IS NULL AND m.${principal} IS NOT NULL ORDER BY m.${principal})`;
export const findBarrier = sqlStatement<BarrierKey, { created_at: string; users: string[]; groups: string[] }>(
  `SELECT b.created_at, ${membersOf('user_id')} AS users, ${membersOf('group_id')} AS groups FROM access_barrier b WHERE b.team_id = $team AND b.id = $barrier`,
);

/** Adds a barrier. Returns a row if the container had no barrier. */
export const putBarrier = sqlStatement<BarrierKey & { by: string; at: Date }, { id: string }>(
  `INSERT INTO access_barrier (team_id, id, set_by, created_at) VALUES ($team, $barrier, $by, $at)
   ON CONFLICT (team_id, id) DO NOTHING RETURNING id`,
);

/** Removes the members that a new list omits. Emergency access stays. */
type Members = BarrierKey & { users: readonly string[]; groups: readonly string[] };
export const dropMembersExcept = sqlStatement<Members, never>(
  `DELETE FROM access_barrier_member
   WHERE team_id = $team AND barrier_id = $barrier AND expires_at IS NULL AND principal_id <> ALL ($users::uuid[] || $groups::uuid[])`,
);
export const putMembers = sqlStatement<Members, never>(
  `INSERT INTO access_barrier_member (team_id, barrier_id, principal_type, principal_id)
   SELECT $team::uuid, $barrier::uuid, 'user', unnest($users::uuid[]) UNION ALL SELECT $team, $barrier, 'group', unnest($groups::uuid[])
   ON CONFLICT (team_id, barrier_id, principal_id) DO UPDATE SET expires_at = NULL`,
);

export const deleteBarrier = sqlStatement<BarrierKey, never>('DELETE FROM access_barrier WHERE team_id = $team AND id = $barrier');

type Requester = BarrierKey & { user: string };

/** Serializes the requests for one barrier. */
export const lockBarrier = sqlStatement<BarrierKey, { id: string }>(
  'SELECT id FROM access_barrier WHERE team_id = $team AND id = $barrier FOR UPDATE',
);

/** Returns the requests of a member for a barrier in the last 24 hours, newest first. */
export const recentRequests = sqlStatement<Requester, EmergencyRow>(
  `SELECT ${request} FROM access_emergency
   WHERE team_id = $team AND barrier_id = $barrier AND user_id = $user AND requested_at > now() - interval '24 hours' ORDER BY id DESC`,
);

/** Ends the pending requests of a member. */
export const endRequests = sqlStatement<Requester, never>(
  `UPDATE access_emergency SET waits_until = now()
   WHERE team_id = $team AND barrier_id = $barrier AND user_id = $user AND approved_by IS NULL AND waits_until > now()`,
);

export const insertRequest = sqlStatement<Requester & { id: string; reason: string; hours: number }, EmergencyRow>(
  `INSERT INTO access_emergency (team_id, id, barrier_id, user_id, reason, requested_at, waits_until)
   VALUES ($team, $id, $barrier, $user, $reason, now(), now() + make_interval(hours => $hours)) RETURNING ${request}`,
);

export const listRequests = sqlStatement<BarrierKey, EmergencyRow>(
  `SELECT ${request} FROM access_emergency WHERE team_id = $team AND barrier_id = $barrier ORDER BY id DESC LIMIT 500`,
);

export const lockRequest = sqlStatement<BarrierKey & { id: string }, EmergencyRow>(
  `SELECT ${request} FROM access_emergency WHERE team_id = $team AND barrier_id = $barrier AND id = $id FOR UPDATE`,
);

/**
 * Locks the requester, so that the role does not change during the transaction. Acquire this lock before the lock of the request, as a change of role
 * does.
 */
export const lockRequester = sqlStatement<BarrierKey & { id: string }, { id: string }>(
  `SELECT a.id FROM access_emergency e JOIN member a ON a.team_id = $team AND a.id = e.user_id
   WHERE e.team_id = $team AND e.barrier_id = $barrier AND e.id = $id FOR SHARE OF a`,
);

/** Approves a request. Returns a row if the request was pending and the requester is still an administrator. */
export const approveRequest = sqlStatement<{ team: string; id: string; by: string; at: Date; hours: number }, EmergencyRow>(
  `UPDATE access_emergency e SET approved_by = $by, approved_at = $at, expires_at = now() + make_interval(hours => $hours)
   WHERE e.team_id = $team AND e.id = $id AND e.approved_by IS NULL AND e.waits_until > now() AND EXISTS (
     SELECT FROM member a WHERE a.team_id = $team AND a.id = e.user_id AND a.role IN ('owner', 'admin')
   ) RETURNING ${request}`,
);

/** Adds a member until the emergency access ends. An existing member stays a member. */
export const addEmergencyMember = sqlStatement<{ team: string; id: string }, never>(
  `INSERT INTO access_barrier_member AS m (team_id, barrier_id, principal_type, principal_id, expires_at)
   SELECT e.team_id, e.barrier_id, 'user', e.user_id, e.expires_at FROM access_emergency e WHERE e.team_id = $team AND e.id = $id
   ON CONFLICT (team_id, barrier_id, principal_id) DO UPDATE SET expires_at = CASE WHEN m.expires_at IS NULL THEN NULL ELSE excluded.expires_at END`,
);

/**
 * Returns the recipients of a mail about a barrier: its members, and for a request also the people who can approve it.
 * Users excluded by an outer barrier get no mail.
 */
export const barrierPeople = sqlStatement<
  BarrierKey & { around: string | null; managers: boolean; but: string },
  { id: string; email: string; locale: string }
>(
  `SELECT a.id, a.email, a.locale FROM member a
   WHERE a.team_id = $team AND a.id <> $but AND NOT barrier_excludes($team, barrier_of($team, $around), a.id) AND (($managers AND a.role IN ('owner', 'admin')) OR a.id IN (
     SELECT coalesce(m.user_id, g.user_id) FROM access_barrier_member m
     LEFT JOIN access_group_member g ON g.team_id = $team AND g.group_id = m.group_id
     WHERE m.team_id = $team AND m.barrier_id = $barrier AND m.expires_at IS NULL
   )) ORDER BY a.id LIMIT 1000`,
);

const accessEnds = 'UPDATE access_emergency SET expires_at = now() WHERE team_id = $team AND user_id = $user AND expires_at > now()';

/** Removes a leaving member from all barriers. If they were the last member of a barrier, the successor becomes a member; returns these barriers. */
export const leaveBarriers = sqlStatement<{ team: string; user: string; successor: string }, { barrier_id: string }>(
  `WITH pending AS (DELETE FROM access_emergency WHERE team_id = $team AND user_id = $user AND approved_by IS NULL),
   ended AS (${accessEnds}),
   gone AS (DELETE FROM access_barrier_member WHERE team_id = $team AND user_id = $user RETURNING barrier_id, expires_at)
   INSERT INTO access_barrier_member (team_id, barrier_id, principal_type, principal_id)
   SELECT $team, gone.barrier_id, 'user', $successor FROM gone WHERE gone.expires_at IS NULL AND NOT EXISTS (
     SELECT FROM access_barrier_member m WHERE m.team_id = $team AND m.barrier_id = gone.barrier_id AND m.user_id <> $user AND m.expires_at IS NULL
   ) ON CONFLICT (team_id, barrier_id, principal_id) DO UPDATE SET expires_at = NULL RETURNING barrier_id`,
);

/** Ends the emergency access of a former administrator. An existing member stays a member. */
export const endEmergencyAccessOf = sqlStatement<{ team: string; user: string }, never>(
  `WITH ended AS (${accessEnds})
   DELETE FROM access_barrier_member WHERE team_id = $team AND user_id = $user AND expires_at IS NOT NULL`,
);

/**
 * Returns which of these users have access now (`now`: no barrier around a container excludes them) or are members of all its barriers
 * (`permanently`).
 */
export const insideOf = sqlStatement<
  { team: string; container: string; users: readonly string[]; when: 'now' | 'permanently' },
  { id: string }
>(
  `SELECT u.id FROM unnest($users::uuid[]) AS u(id)
   CROSS JOIN LATERAL barrier_state($team, (SELECT barrier_of($team, $container)), u.id) s WHERE NOT (CASE WHEN $when = 'now' THEN s.excluded ELSE s.outsider END)`,
);

/**
 * A change of barriers that a job carries out. `raise` and `lift`: the barrier of this container is raised or lifted. `move`: the container has
 * moved.
 */
export type BarrierChange = RowWithout<'access_barrier_change', 'started_at' | 'team_id'>;
const change = 'id, kind, from_barrier, to_barrier, documents_total, documents_done';
type Container = { team: string; id: string };

export const findChange = sqlStatement<Container, BarrierChange>(
  `SELECT ${change} FROM access_barrier_change WHERE team_id = $team AND id = $id`,
);
/**
 * Returns the barrier changes in progress that affect a container: changes of the container, its ancestors and its
 * descendants. With `target`, also changes of `target` and its ancestors.
 */
export const changesAround = sqlStatement<Container & { target: string | null }, { id: string }>(
  `SELECT c.id FROM access_barrier_change c WHERE c.team_id = $team AND EXISTS (
     SELECT FROM access_path p WHERE p.team_id = $team AND (
       (p.container_id = $id AND p.ancestor_id = c.id) OR (p.container_id = c.id AND p.ancestor_id = $id)
       OR (p.container_id = $target::uuid AND p.ancestor_id = c.id))
   )`,
);
export const insertChange = sqlStatement<
  Container & { kind: BarrierChange['kind']; from: string; to: string; documents: number; at: Date },
  never
>(
  `INSERT INTO access_barrier_change (team_id, id, kind, from_barrier, to_barrier, documents_total, started_at)
   VALUES ($team, $id, $kind, $from, $to, $documents, $at)`,
);
/** Adds to the number of documents that have their new barrier. */
export const countChanged = sqlStatement<Container & { documents: number }, never>(
  'UPDATE access_barrier_change SET documents_done = documents_done + $documents WHERE team_id = $team AND id = $id',
);
/** Returns the containers at and below a container that still have a barrier, by identifier after `after`. */
export const containersBehind = sqlStatement<Container & { barrier: string; after: string; limit: number }, { id: string }>(
  `SELECT c.id FROM access_path p CROSS JOIN LATERAL (
     SELECT o.id, o.barrier_id FROM access_container o WHERE o.team_id = $team AND o.id = p.container_id OFFSET 0
   ) c WHERE p.team_id = $team AND p.ancestor_id = $id AND p.container_id > $after AND c.barrier_id = $barrier
   ORDER BY p.container_id LIMIT $limit`,
);
export const deleteChange = sqlStatement<Container, BarrierChange>(
  `DELETE FROM access_barrier_change WHERE team_id = $team AND id = $id RETURNING ${change}`,
);
