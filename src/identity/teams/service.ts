import { cleanTimeZone, requireRecentSignIn, teamStatements } from '#accounts';
import { notFound } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { nameWithoutLink } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { teamUpdated } from './events.ts';
import { nothingToChange } from './problems.ts';
import type { Team, UpdateTeam } from './schemas.ts';

/** Returns the caller’s team. */
export async function getTeam(scope: ReadScope | Scope): Promise<Versioned<Team>> {
  const row = await scope.db.first(teamStatements.findTeam, { team: scope.team });
  if (!row) throw notFound('team');
  const value = {
    id: row.id,
    name: row.name,
    timezone: row.time_zone,
    ownerId: row.owner_id,
    membersCount: row.members,
    clientsAwaitTakeover: row.clients_await_takeover,
    fourEyes: row.four_eyes,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

/** Changes the given members. Throws 401 `reauthentication_required` if it weakens protection, 412 or 422 `invalid_timezone`. */
export async function updateTeam(scope: Scope, session: string, input: UpdateTeam, expect: VersionCheck): Promise<Versioned<Team>> {
  if (Object.values(input).every((member) => member === undefined))
    throw nothingToChange('`name`, `timezone`, `clientsAwaitTakeover` or `fourEyes`');
  if (input.clientsAwaitTakeover === false || input.fourEyes === false) await requireRecentSignIn(scope, session);
  const kept = await scope.db.first(teamStatements.lockTeam, { team: scope.team });
  if (!kept) throw notFound('team');
  expect(kept.version);
  const name = input.name === undefined ? kept.name : nameWithoutLink(input.name);
  const timezone = input.timezone === undefined ? kept.time_zone : cleanTimeZone(input.timezone);
  const waits = input.clientsAwaitTakeover ?? kept.clients_await_takeover;
  const fourEyes = input.fourEyes ?? kept.four_eyes;
  const changed = [
    ...(name === kept.name ? [] : ['name']),
    ...(timezone === kept.time_zone ? [] : ['timezone']),
    ...(waits === kept.clients_await_takeover ? [] : ['clientsAwaitTakeover']),
    ...(fourEyes === kept.four_eyes ? [] : ['fourEyes']),
  ];
  if (changed.length > 0) {
    scope.db.send(teamStatements.updateTeam, { team: scope.team, name, timezone, waits, fourEyes, at: scope.now });
    await recordAudit(scope, teamUpdated, scope.team, { members: changed });
  }
  return getTeam(scope);
}
