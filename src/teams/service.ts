import { cleanTimeZone } from '#accounts';
import { notFound } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { cleanName } from '../platform/text.ts';
import { teamUpdated } from './events.ts';
import { nothingToChange } from './problems.ts';
import * as queries from './queries.ts';
import type { Team, UpdateTeam } from './schemas.ts';

/** A thing with the version that its ETag names. */
export type Versioned<T> = { value: T; version: number };

/** The team of whoever asks. */
export async function getTeam(scope: ReadScope | Scope): Promise<Versioned<Team>> {
  const row = await scope.db.first(queries.findTeam, { team: scope.team });
  if (!row) throw notFound('team');
  const value = {
    id: row.id,
    name: row.name,
    timezone: row.time_zone,
    ownerId: row.owner_id,
    membersCount: row.members,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

/** Changes name and time zone, where given. Errors: 412, 422 `invalid_timezone`. */
export async function updateTeam(scope: Scope, input: UpdateTeam, expect: (version: number) => void): Promise<Versioned<Team>> {
  if (input.name === undefined && input.timezone === undefined) throw nothingToChange('`name` or `timezone`');
  const kept = await scope.db.first(queries.lockTeam, { team: scope.team });
  if (!kept) throw notFound('team');
  expect(kept.version);
  const name = input.name === undefined ? kept.name : cleanName(input.name);
  const timezone = input.timezone === undefined ? kept.time_zone : cleanTimeZone(input.timezone);
  const changed = [...(name === kept.name ? [] : ['name']), ...(timezone === kept.time_zone ? [] : ['timezone'])];
  if (changed.length > 0) {
    await Promise.all([
      scope.db.all(queries.updateTeam, { team: scope.team, name, timezone, at: scope.now }),
      recordAct(scope, teamUpdated, scope.team, { members: changed }),
    ]);
  }
  return getTeam(scope);
}
