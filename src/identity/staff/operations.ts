import { acrossTeams, removeSecondFactor, accountProblems, setTeamSuspended, signOutEverywhere, unlockAccount } from '#accounts';
import { changeQuotas, type QuotaChanges } from '#teams';
import { usageOf } from '../../platform/limits/usage.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { serviceTeam } from '../../platform/journal/record.ts';
import type { Principal, Scope } from '../../platform/scope.ts';
import { across, inJournal, type Origin, type Staff } from './context.ts';
import { presentPerson, presentTeam } from './present.ts';
import { staffProblems } from './problems.ts';
import * as queries from './queries.ts';
import { requireRecentStaff, requireSetUp } from './session.ts';

/** The acting member of staff, with session and origin. */
export type By = Pick<Principal, 'actor' | 'sessionId' | 'proof'> & {
  origin: Origin;
  /** Runs a change once, even if the request is repeated. */
  once<T>(db: Scope['db'], work: () => Promise<T>): Promise<T>;
};

/** Runs a transaction across teams for a member of staff with a valid session, and with a second factor if that is mandatory. */
function asMember<T>(staff: Staff, by: By, reason: string, work: (db: Scope['db']) => Promise<T>): Promise<T> {
  const act = async (db: Scope['db']) => {
    const person = await db.first(queries.liveSession, { session: by.sessionId });
    requireSetUp(staff, person ?? { totp_enabled: false });
    return work(db);
  };
  return across(staff, reason, act, by.proof);
}

type PageCursor = { before: string | null; beforeId: string | null; limit: number };

export function listTeams(staff: Staff, by: By, filter: PageCursor & { q: string | null; status: string | null }) {
  return asMember(staff, by, 'staff lists teams', async (db) => (await db.all(acrossTeams.listTeams, filter)).map(presentTeam));
}

export function getTeam(staff: Staff, by: By, given: string) {
  const team = pathId(given, 'team');
  return asMember(staff, by, 'staff looks at a team', async (db) => presentTeam(await teamOf(db, team)));
}

async function teamOf(db: Scope['db'], team: string): Promise<acrossTeams.TeamRow> {
  const row = await db.first(acrossTeams.teamById, { team });
  if (!row) throw notFound('team');
  return row;
}

/** Suspends or restores a team. The team’s journal records the reason. */
export function setSuspended(staff: Staff, by: By, given: string, suspended: boolean, reason: string) {
  const team = pathId(given, 'team');
  return asMember(staff, by, suspended ? 'staff suspends a team' : 'staff restores a team', async (db) => {
    return by.once(db, async () => {
      await teamOf(db, team);
      if (!(await setTeamSuspended(staff.people, inJournal(staff, db, team, by.origin, by.actor), suspended, reason)))
        throw suspended
          ? staffProblems.team_not_active('Only an active team can be suspended. Check its `status`.')
          : staffProblems.team_not_suspended('Only a suspended team can be restored. Check its `status`.');
      return presentTeam(await teamOf(db, team));
    });
  });
}

/** Runs an operation of another domain on a team, once, recorded in the team’s journal. Throws 404. */
export function inTeam<T>(
  staff: Staff,
  by: By,
  { team: given, why }: { team: string; why: string },
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const team = pathId(given, 'team');
  return asMember(staff, by, why, (db) =>
    by.once(db, async () => {
      await teamOf(db, team);
      db.enterTeam(team);
      return work(inJournal(staff, db, team, by.origin, by.actor));
    }),
  );
}

/** Runs an operation of another domain over all teams, once, recorded in the journal of the service. */
export function inService<T>(staff: Staff, by: By, why: string, work: (scope: Scope) => Promise<T>): Promise<T> {
  return asMember(staff, by, why, (db) => by.once(db, () => work(inJournal(staff, db, serviceTeam, by.origin, by.actor))));
}

/** Returns the quotas of a team with their usage. */
export function getQuotas(staff: Staff, by: By, given: string) {
  const team = pathId(given, 'team');
  return asMember(staff, by, 'staff looks at the quotas of a team', async (db) => {
    await teamOf(db, team);
    db.enterTeam(team);
    return { teamId: team, quotas: await usageOf(db, team, by.origin.now, 0) };
  });
}

/** Changes the quotas of a team. The team’s journal records the reason. */
export function putQuotas(staff: Staff, by: By, given: string, changes: QuotaChanges, reason: string) {
  const team = pathId(given, 'team');
  return asMember(staff, by, 'staff changes the quotas of a team', async (db) => {
    await teamOf(db, team);
    db.enterTeam(team);
    return { teamId: team, quotas: await changeQuotas(inJournal(staff, db, team, by.origin, by.actor), changes, reason) };
  });
}

export function listPeople(staff: Staff, by: By, filter: PageCursor & { q: string | null; team: string | null }) {
  return asMember(staff, by, 'staff lists users', async (db) => (await db.all(acrossTeams.listPeople, filter)).map(presentPerson));
}

export function getPerson(staff: Staff, by: By, given: string) {
  const id = pathId(given, 'user');
  return asMember(staff, by, 'staff looks at a user', async (db) => presentPerson(await personOf(db, id)));
}

async function personOf(db: Scope['db'], id: string): Promise<acrossTeams.PersonRow> {
  const row = await db.first(acrossTeams.personById, { id });
  if (!row) throw notFound('user');
  return row;
}

/** Staff operations on a user. The journal of the user’s team records each with its reason. */
export const help = {
  unlock: (staff: Staff, scope: Scope, person: acrossTeams.PersonRow, reason: string) => unlockAccount(staff.people, scope, person, reason),
  async disableTwoFactor(staff: Staff, scope: Scope, person: acrossTeams.PersonRow, reason: string) {
    if (!(await removeSecondFactor(staff.people, scope, person.id, reason)))
      throw accountProblems.two_factor_not_enabled('Two-factor authentication of this user is already off. There is nothing to disable.');
  },
  signOut: (staff: Staff, scope: Scope, person: acrossTeams.PersonRow, reason: string) =>
    signOutEverywhere(staff.people, scope, person.id, reason),
};

export function helpPerson(staff: Staff, by: By, given: string, how: keyof typeof help, reason: string) {
  const id = pathId(given, 'user');
  return asMember(staff, by, `staff: ${how}`, (db) =>
    by.once(db, async () => {
      const person = await personOf(db, id);
      const scope = inJournal(staff, db, person.team_id, by.origin, by.actor);
      // Weakening a user’s sign-in needs a recent sign-in, so that a stolen staff session is not enough.
      if (how === 'disableTwoFactor') await requireRecentStaff(scope, by.sessionId);
      await help[how](staff, scope, person, reason);
      return presentPerson(await personOf(db, id));
    }),
  );
}
