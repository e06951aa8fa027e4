import { type Compilable, sql } from 'kysely';
import { build, sqlStatement } from '../../platform/database/statement.ts';

export type EntryRow = {
  team_id: string;
  id: string;
  type: string;
  actor_type: string;
  actor_id: string | null;
  target_type: string | null;
  target_id: string | null;
  at: string;
  /** `at` with microseconds, for cursors. */
  exact_at: string;
  ip: string | null;
  request_id: string | null;
  data: unknown;
};

/** The position of an entry in the journal. */
export type JournalCursor = { at: string; id: string };
export type EntryFilter = {
  sort?: 'createdAt' | '-createdAt';
  /** The audit actions of the entries. */
  types?: readonly string[];
  actorId?: string;
  targetId?: string;
  targetType?: string;
  from?: string;
  to?: string;
  after?: JournalCursor;
  /** Only the entries that the seat of this auditor opens. */
  auditor?: string | null;
  limit: number;
};

/** The entries of a team that a filter selects, without their types. */
function filtered(team: string, filter: EntryFilter) {
  let query = build.selectFrom('audit_entry').where('team_id', '=', team);
  if (filter.actorId !== undefined) query = query.where('actor_id', '=', filter.actorId);
  if (filter.targetId !== undefined) query = query.where('target_id', '=', filter.targetId);
  if (filter.targetType !== undefined) query = query.where('target_type', '=', filter.targetType);
  if (filter.from !== undefined) query = query.where('at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('at', '<', filter.to);
  if (filter.auditor !== undefined && filter.auditor !== null) {
    const seat = sql`${team}::uuid, ${filter.auditor}::uuid`;
    query = query
      .where(sql<boolean>`EXISTS (SELECT FROM seat_period(${seat}) p WHERE at >= p.journal_from AND at < p.journal_to)`)
      .where(sql<boolean>`target_id IN (SELECT seat_targets(${seat}))`);
  }
  const [way, beyond] = filter.sort === 'createdAt' ? (['asc', sql`>`] as const) : (['desc', sql`<`] as const);
  if (filter.after !== undefined)
    query = query.where(sql<boolean>`(at, id) ${beyond} (${filter.after.at}::timestamptz, ${filter.after.id}::uuid)`);
  return query.orderBy('at', way).orderBy('id', way).limit(filter.limit);
}

/**
 * Selects a page of a team’s journal, newest first unless `sort` says otherwise. The order is by time and identifier, so later entries do not move
 * earlier ones. Several types are read along the index of each.
 */
export function listEntries(team: string, filter: EntryFilter): Compilable<EntryRow> {
  const page = filtered(team, filter);
  const { types } = filter;
  const columns = [
    'team_id',
    'id',
    'type',
    'actor_type',
    'actor_id',
    'target_type',
    'target_id',
    'at',
    sql<string>`at::text`.as('exact_at'),
    sql<string | null>`host(ip)`.as('ip'),
    'request_id',
    'data',
  ] as const;
  if (types === undefined) return page.select(columns);
  const [type] = types;
  if (types.length === 1 && type !== undefined) return page.where('type', '=', type).select(columns);
  const way = filter.sort === 'createdAt' ? 'asc' : 'desc';
  return build
    .selectFrom(sql<{ type: string }>`(SELECT unnest(${types}::text[]) AS type)`.as('wanted'))
    .innerJoinLateral(
      page
        .where('audit_entry.type', '=', sql<string>`wanted.type`)
        .selectAll('audit_entry')
        .as('e'),
      (join) => join.onTrue(),
    )
    .select([
      'e.team_id',
      'e.id',
      'e.type',
      'e.actor_type',
      'e.actor_id',
      'e.target_type',
      'e.target_id',
      'e.at',
      sql<string>`e.at::text`.as('exact_at'),
      sql<string | null>`host(e.ip)`.as('ip'),
      'e.request_id',
      'e.data',
    ])
    .orderBy('e.at', way)
    .orderBy('e.id', way)
    .limit(filter.limit);
}

export type RoleReading = { id: string; type: string; actor_id: string; at: string; data: Record<string, unknown> };

/** Selects the actions on a resource that owner and administrators could take only by their role, newest first. */
export const readingsByRole = sqlStatement<{ team: string; target: string; limit: number }, RoleReading>(
  `SELECT id, type, actor_id, at, data FROM audit_entry
   WHERE team_id = $team AND target_id = $target AND data ->> 'via' = 'role' ORDER BY id DESC LIMIT $limit`,
  { actor_id: 'only a person has a role' },
);
