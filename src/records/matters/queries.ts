import { isOpen, isSettled, noBarrier, type View, type Viewer, viewSql } from '#access';
import { jsonThing, pageStatement } from '../../platform/database/json-page.ts';
import { matches } from '../../platform/database/list-filters.ts';
import type { RowWithout } from '../../platform/database/row.ts';
import { bySort, type ChangePage, type ChangeSort, changeSorts, isoText, sortedBy } from '../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { ContentType } from './schemas.ts';

export type MatterRow = RowWithout<'matter', 'fields' | 'number_key' | 'status_before' | 'team_id'> & { fields: Record<string, unknown> };
const columns = 'm.id, m.client_id, m.number, m.status, m.practice, m.opened_on, m.closed_on, m.retain_until, m.fields';

export const findMatter = sqlStatement<TeamScopedId, MatterRow>(`SELECT ${columns} FROM matter m WHERE m.team_id = $team AND m.id = $id`);
/** Locks a matter until the transaction ends. New content and work wait for the lock. */
export const lockMatter = sqlStatement<TeamScopedId, { id: string }>('SELECT id FROM matter WHERE team_id = $team AND id = $id FOR UPDATE');

type Members = {
  client: string | null;
  number: string;
  key: string;
  status: string;
  practice: string | null;
  openedOn: string | null;
  fields: string;
};
export const insertMatter = sqlStatement<TeamScopedId & Members, never>(
  `INSERT INTO matter (team_id, id, client_id, number, number_key, status, practice, opened_on, fields)
   VALUES ($team, $id, $client, $number, $key, $status, $practice, $openedOn, $fields)`,
);
export const updateMatter = sqlStatement<TeamScopedId & Members, never>(
  `UPDATE matter SET client_id = $client, number = $number, number_key = $key, status = $status, practice = $practice, opened_on = $openedOn,
     fields = $fields WHERE team_id = $team AND id = $id`,
);
export const closeMatter = sqlStatement<TeamScopedId & { closedOn: string; retainUntil: string | null }, never>(
  `UPDATE matter SET status_before = status, status = 'closed', closed_on = $closedOn, retain_until = coalesce($retainUntil, retain_until)
   WHERE team_id = $team AND id = $id AND status <> 'closed'`,
);
export const reopenMatter = sqlStatement<TeamScopedId, { status: string }>(
  `UPDATE matter SET status = status_before, status_before = NULL, closed_on = NULL
   WHERE team_id = $team AND id = $id AND status = 'closed' RETURNING status`,
);
export const deleteMatter = sqlStatement<TeamScopedId, never>('DELETE FROM matter WHERE team_id = $team AND id = $id');

/** Returns the next automatic number of a year. Concurrent calls wait for each other. */
export const nextNumber = sqlStatement<{ team: string; year: number }, { last: number }>(
  `INSERT INTO matter_counter AS c (team_id, year, last) VALUES ($team, $year, 1)
   ON CONFLICT (team_id, year) DO UPDATE SET last = c.last + 1 RETURNING last`,
);
export const numberIsTaken = sqlStatement<{ team: string; key: string }, { id: string }>(
  'SELECT id FROM matter WHERE team_id = $team AND number_key = $key',
);

const item = jsonThing(
  {
    id: 'f.id',
    number: 'f.number',
    name: 'f.name',
    status: 'f.status',
    clientId: 'f.client_id',
    practice: 'f.practice',
    responsibleId: 'f.user_id',
    barrier: 'CASE WHEN f.barrier_id = f.id THEN true END',
    openedOn: 'f.opened_on::text',
    closedOn: 'f.closed_on::text',
    retainUntil: 'f.retain_until::text',
    createdBy: 'f.created_by',
    createdByType: 'f.created_by_type',
    createdAt: isoText('f.created_at'),
    updatedAt: isoText('f.updated_at'),
  },
  { fields: "nullif(f.fields, '{}')" },
);
type ListParams = Viewer &
  Omit<ChangePage, 'sort'> & { team: string; status: string | null; client: string | null; responsible: string | null; q: string | null };
const whole = `r.id, r.name, r.user_id, r.barrier_id, r.created_by, r.created_by_type, r.created_at, r.updated_at, ${columns.slice('m.id, '.length)}`;
/** The matters of a view. The view `granted` reads those that the person owns or that are shared with them, by their keys. */
const seen: Record<View, { from: string; where: string }> = {
  all: {
    from: `(SELECT ${whole} FROM matter_roots($team) r JOIN matter m ON m.team_id = $team AND m.id = r.id) f`,
    where: `f.barrier_id IN (SELECT barrier FROM open) AND ${isSettled('f.id')}`,
  },
  granted: {
    from: `viewed_matters($team, $user) v(id) CROSS JOIN LATERAL (
         SELECT ${whole} FROM matter_roots($team) r JOIN matter m ON m.team_id = $team AND m.id = r.id WHERE r.id = v.id OFFSET 0
       ) f`,
    where: isOpen('f', 'id'),
  },
};
function listBy(view: View, sort: ChangeSort) {
  const { order, after, key } = sortedBy(sort, 'f');
  return pageStatement<ListParams>(
    `WITH ${viewSql.all}, page AS (
       SELECT f.* FROM ${seen[view].from}
       WHERE ${after} AND ${seen[view].where} AND $roots::uuid[] IS NULL
         AND ($status::text IS NULL OR f.status = $status) AND ($client::uuid IS NULL OR f.client_id = $client)
         AND ($responsible::uuid IS NULL OR f.user_id = $responsible) AND ($since::timestamptz IS NULL OR f.updated_at >= $since)
         AND ${matches('f.name', 'f.number')}
       ORDER BY ${order} LIMIT $limit + 1
     )`,
    { from: 'page f', item, order, key },
  );
}
export const listMatters = {
  all: bySort(changeSorts, (sort) => listBy('all', sort)),
  granted: bySort(changeSorts, (sort) => listBy('granted', sort)),
};

export type ContentRow = { type: ContentType; id: string; name: string; is_open: boolean; updated_at: string };
const contents = `matter_contents($team, $id) c`;
/** Whether a barrier hides an item. A signature request is hidden by a barrier around any of its documents. */
const hidden = `(document_excludes($team, c.about, $user::uuid) OR c.type = 'signature_request' AND signature_request_excludes($team, c.id, $user::uuid))`;
/** A page of the contents that the caller may view, in the order of creation. */
export const listContents = sqlStatement<
  TeamScopedId & {
    user: string | null;
    caller: string | null;
    all: boolean;
    viewing: readonly string[];
    types: readonly string[];
    type: string | null;
    after: string;
    limit: number;
  },
  ContentRow
>(
  `SELECT c.type, c.id, c.name, c.is_open, c.updated_at FROM ${contents}
   WHERE c.id > $after AND NOT c.is_binned AND c.type = ANY ($types) AND ($type::text IS NULL OR c.type = $type)
     AND NOT ${hidden}
     AND (c.inherits OR $all OR c.owner_id = $caller
       OR c.type = 'form' AND c.id IN (SELECT access_resources($team, $user::uuid, true, 'form', $viewing::text[])))
   ORDER BY c.id LIMIT $limit + 1`,
);
/** The open work of a matter, at most `limit`. */
export const openWork = sqlStatement<TeamScopedId & { user: string | null; limit: number }, ContentRow & { hidden: boolean }>(
  `SELECT c.type, c.id, c.name, c.is_open, c.updated_at, ${hidden} AS hidden FROM ${contents}
   WHERE c.is_open ORDER BY c.type DESC, c.id LIMIT $limit`,
  { hidden: 'the functions never return null' },
);
/** Whether a move from container `from` (null: none) to a matter leaves a barrier. */
export const leavesBarrier = sqlStatement<{ team: string; from: string | null; to: string }, { leaves: boolean }>(
  `SELECT barrier_of($team, $from) NOT IN ('${noBarrier}', barrier_of($team, $to)) AS leaves`,
  { leaves: 'the function never returns null' },
);
export const isEmpty = sqlStatement<TeamScopedId, { empty: boolean }>(`SELECT NOT EXISTS (SELECT FROM ${contents}) AS empty`);

export type ClientRow = RowWithout<'matter_client', 'name_key' | 'team_id'>;
const clientColumns = 'c.id, c.name, c.reference, c.created_by, c.created_by_type, c.version, c.created_at, c.updated_at';
export const findClient = sqlStatement<TeamScopedId, ClientRow>(
  `SELECT ${clientColumns} FROM matter_client c WHERE c.team_id = $team AND c.id = $id`,
);
export const lockClient = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM matter_client WHERE team_id = $team AND id = $id FOR NO KEY UPDATE',
);
export const listClients = sqlStatement<{ team: string; after: string; limit: number; q: string | null }, ClientRow>(
  `SELECT ${clientColumns} FROM matter_client c WHERE c.team_id = $team AND c.id > $after
     AND ${matches('c.name')} ORDER BY c.id LIMIT $limit + 1`,
);
type ClientMembers = { name: string; key: string; reference: string | null; at: Date };
export const insertClient = sqlStatement<TeamScopedId & ClientMembers & { by: string; byType: string }, never>(
  `INSERT INTO matter_client (team_id, id, name, name_key, reference, created_by, created_by_type, created_at, updated_at)
   VALUES ($team, $id, $name, $key, $reference, $by, $byType, $at, $at)`,
);
export const updateClient = sqlStatement<TeamScopedId & ClientMembers, never>(
  `UPDATE matter_client SET name = $name, name_key = $key, reference = $reference, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

export type DeadlineRow = RowWithout<'matter_deadline', 'team_id'>;
const deadlineColumns = `d.id, d.matter_id, d.title, d.due_at, d.source, d.assignee_id, d.remind_days, d.remind_at, d.task_id, d.created_by, d.created_by_type,
  d.version, d.created_at, d.updated_at`;
export const findDeadline = sqlStatement<TeamScopedId & { matter: string }, DeadlineRow>(
  `SELECT ${deadlineColumns} FROM matter_deadline d WHERE d.team_id = $team AND d.id = $id AND d.matter_id = $matter`,
);
export const lockDeadline = sqlStatement<TeamScopedId, Pick<DeadlineRow, 'matter_id' | 'remind_at'>>(
  'SELECT matter_id, remind_at FROM matter_deadline WHERE team_id = $team AND id = $id FOR UPDATE',
);
export const listDeadlines = sqlStatement<{ team: string; matter: string; after: string; limit: number }, DeadlineRow>(
  `SELECT ${deadlineColumns} FROM matter_deadline d WHERE d.team_id = $team AND d.matter_id = $matter AND d.id > $after ORDER BY d.id LIMIT $limit + 1`,
);
type DeadlineMembers = {
  title: string;
  dueAt: string;
  source: string | null;
  assignee: string | null;
  remindDays: number;
  remindAt: Date | null;
  at: Date;
};
export const insertDeadline = sqlStatement<TeamScopedId & DeadlineMembers & { matter: string; by: string; byType: string }, never>(
  `INSERT INTO matter_deadline (team_id, id, matter_id, title, due_at, source, assignee_id, remind_days, remind_at, created_by, created_by_type, created_at, updated_at)
   VALUES ($team, $id, $matter, $title, $dueAt, $source, $assignee, $remindDays, $remindAt, $by, $byType, $at, $at)`,
);
export const updateDeadline = sqlStatement<TeamScopedId & DeadlineMembers, never>(
  `UPDATE matter_deadline SET title = $title, due_at = $dueAt, source = $source, assignee_id = $assignee, remind_days = $remindDays, remind_at = $remindAt,
     version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id`,
);
export const deleteDeadline = sqlStatement<TeamScopedId, never>('DELETE FROM matter_deadline WHERE team_id = $team AND id = $id');
export const countDeadlines = sqlStatement<{ team: string; matter: string }, { deadlines: number }>(
  'SELECT count(*)::int AS deadlines FROM matter_deadline WHERE team_id = $team AND matter_id = $matter',
);
/** Links the task of a deadline. The job does not make another one. */
export const noteTask = sqlStatement<TeamScopedId & { task: string; at: Date }, never>(
  'UPDATE matter_deadline SET task_id = $task, remind_at = NULL, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);
/** The deadlines of a member who leaves go to the responsible persons. */
export const releaseDeadlines = sqlStatement<{ team: string; user: string; at: Date }, never>(
  `UPDATE matter_deadline SET assignee_id = NULL, version = version + 1, updated_at = $at WHERE team_id = $team AND assignee_id = $user`,
);

export const deadlineJob = 'matter-deadlines';
/** Deadlines of open matters whose task is due, the earliest first. */
export const dueDeadlines = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT n.team, n.id FROM (
     SELECT d.team_id AS team, d.id, d.remind_at, row_number() OVER (PARTITION BY d.team_id ORDER BY d.remind_at, d.id) AS place
     FROM matter_deadline d JOIN matter m ON m.team_id = d.team_id AND m.id = d.matter_id AND m.status <> 'closed'
     WHERE d.remind_at <= $now AND team_active(d.team_id) AND NOT job_waits('${deadlineJob}', d.team_id, d.id::text)
   ) n WHERE n.place <= $ofEachTeam ORDER BY n.remind_at, n.id LIMIT $limit`,
);
