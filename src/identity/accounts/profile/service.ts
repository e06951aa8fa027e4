import { recordAudit } from '../../../platform/journal/record.ts';
import { notFound } from '../../../platform/identifiers.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { timeZoneName } from '../../../platform/time-zones.ts';
import { profileUpdated } from '../events.ts';
import { accountProblems } from '../problems.ts';
import { listTeams } from '../membership/teams-of-person.ts';
import * as queries from '../queries.ts';
import { cleanPersonName, refused } from '../registration/register.ts';
import type { Profile, UpdateProfile } from '../schemas.ts';
import { requireOwnSignIn } from '../sign-in/reauthentication.ts';

function present(row: queries.AccountRow): Profile {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    teamId: row.team_id,
    ...(row.onboarding_completed_at === null ? {} : { onboardingCompletedAt: row.onboarding_completed_at }),
    role: row.role,
    timezone: row.timezone,
    twoFactorEnabled: row.two_factor_enabled,
  };
}

/** Returns the caller’s profile. */
export async function getProfile(scope: ReadScope | Scope, id: string): Promise<Profile> {
  const row = await scope.db.first(queries.ownAccount, { team: scope.team, id });
  if (!row) throw notFound('account');
  return present(row);
}

const readOnly = ['id', 'teamId', 'role', 'twoFactorEnabled'] as const;

/** Returns the canonical name of a time zone. Throws 422 `invalid_timezone`. */
export function cleanTimeZone(given: string): string {
  const name = timeZoneName(given);
  if (name === undefined)
    throw accountProblems.invalid_timezone('`timezone` must be a name of the IANA time zone database, such as Europe/Vienna.');
  return name;
}

function onboardingOf(given: UpdateProfile['onboardingCompletedAt'], kept: string | undefined, now: Date): string | null {
  if (given === undefined) return kept ?? null;
  if (given === null) return null;
  if (given === true) return now.toISOString();
  const time = new Date(given);
  if (Number.isNaN(time.getTime()))
    throw refused('onboardingCompletedAt', 'must be a time such as 2026-11-21T10:00:00.000Z, or true for now', 'date-time');
  return time.toISOString();
}

/**
 * Changes the given members. Read-only members may be sent unchanged, so
 * that a client can send back a read profile. Throws 422 for a changed one. Throws 401
 * `reauthentication_required` for another name, after a sign-in through a provider, if the person has another team.
 */
export async function updateProfile(scope: Scope, id: string, session: string, input: UpdateProfile): Promise<Profile> {
  const row = await scope.db.first(queries.ownAccount, { team: scope.team, id });
  if (!row) throw notFound('account');
  const kept = { ...present(row), locale: row.locale };
  for (const member of readOnly) {
    const given = input[member];
    if (given !== undefined && given !== kept[member]) {
      throw accountProblems.field_read_only(`\`${member}\` cannot be changed here. Omit it or send it unchanged.`);
    }
  }
  const timezone = input.timezone === undefined ? kept.timezone : cleanTimeZone(input.timezone);
  const firstName = input.firstName === undefined ? kept.firstName : cleanPersonName(input.firstName, 'firstName');
  const lastName = input.lastName === undefined ? kept.lastName : cleanPersonName(input.lastName, 'lastName');
  // Other teams show the name too, and a provider of this team does not speak for them.
  const isRenamed = firstName !== kept.firstName || lastName !== kept.lastName;
  if (isRenamed && (await listTeams(scope.db)).length > 1) await requireOwnSignIn(scope, session);
  scope.db.send(queries.updateProfile, {
    id,
    firstName,
    lastName,
    timezone,
    locale: input.locale ?? kept.locale,
    onboarding: onboardingOf(input.onboardingCompletedAt, kept.onboardingCompletedAt, scope.now),
    at: scope.now,
  });
  // Only names of changed members, never values, because the journal outlives the user’s data.
  await recordAudit(scope, profileUpdated, id, {
    members: Object.keys(input).filter((member) =>
      ['firstName', 'lastName', 'timezone', 'locale', 'onboardingCompletedAt'].includes(member),
    ),
  });
  return getProfile(scope, id);
}
