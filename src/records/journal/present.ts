import type { EntryRow } from './queries.ts';
import type { Entry } from './schemas.ts';

/** Converts a row to an entry of the API. */
export function presentEntry(row: Omit<EntryRow, 'exact_at'>): Entry {
  return {
    id: row.id,
    type: row.type,
    actor: { type: row.actor_type, ...(row.actor_id === null ? {} : { id: row.actor_id }) },
    teamId: row.team_id,
    ...(row.target_type === null ? {} : { target: { type: row.target_type, ...(row.target_id === null ? {} : { id: row.target_id }) } }),
    at: row.at,
    ...(row.ip === null ? {} : { ip: row.ip }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    data: row.data as Entry['data'],
  };
}
