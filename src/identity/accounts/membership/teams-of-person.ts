import { randomUUIDv7 } from 'node:crypto';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { record } from '../../../platform/journal/record.ts';
import { type Actor, enterTeam, type PublicScope, type Scope } from '../../../platform/scope.ts';
import { accountProblems } from '../problems.ts';
import { dropIdentities } from '../sign-in/federation-queries.ts';
import { memberJoined } from '../events.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { lockTeamsOfPerson, teamsOfPerson } from './membership-queries.ts';
import { insertMember, insertTeam, personById } from '../queries.ts';
import type { Role } from '../roles.ts';

/** A person can be a member of 50 teams. */
export const maxTeams = 50;
/** A person can own 20 teams. */
export const maxOwnedTeams = 20;

/** A team of the current person. `connectionId`: the provider connection that the team enforces for the person. */
export type PersonTeam = {
  id: string;
  name: string;
  role: Role;
  /** `ended`: the membership of a guest or auditor is over. */
  status: 'active' | 'disabled' | 'ended';
  endsAt: string | undefined;
  teamStatus: 'active' | 'suspended' | 'closed';
  connectionId: string | undefined;
  /** Whether the team requires a second factor and the person has none. */
  needsSecondFactor: boolean;
};

/** The teams of the current person, the oldest membership first. */
export async function listTeams(db: Pick<Scope['db'], 'all'>): Promise<PersonTeam[]> {
  return (await db.all(teamsOfPerson, {})).map((row) => ({
    id: row.team_id,
    name: row.name,
    role: row.role as Role,
    status: row.status as PersonTeam['status'],
    endsAt: row.ends_at ?? undefined,
    teamStatus: row.team_status as PersonTeam['teamStatus'],
    connectionId: row.connection_id ?? undefined,
    needsSecondFactor: row.needs_second_factor,
  }));
}

/**
 * Returns the team that opens after a sign-in with a password or passkey: the last used, or else the oldest. Teams that are disabled or enforce a
 * provider come last. Returns undefined without a membership.
 */
export async function teamToOpen(db: Pick<Scope['db'], 'all' | 'first'>, id: string): Promise<string | undefined> {
  const { own, person } = await pipelined({ own: () => listTeams(db), person: () => db.first(personById, { id }) });
  const rank = (team: PersonTeam): number =>
    (team.status === 'active' && team.teamStatus === 'active' ? 4 : 0) +
    (team.connectionId === undefined ? 2 : 0) +
    (team.id === person?.last_team_id ? 1 : 0);
  return own.toSorted((a, b) => rank(b) - rank(a))[0]?.id;
}

/**
 * Runs `work` in the scope of each team of the person who acts, in the order of the team ids. Afterwards the transaction is confined to the team of
 * `scope` again. The entries in the journals of other teams do not contain the network address.
 */
export async function inEachTeam(scope: Scope, work: (scope: Scope) => Promise<void>): Promise<void> {
  const own = await listTeams(scope.db);
  await inTeams(
    scope,
    own.map(({ id }) => id),
    work,
  );
}

/** Like `inEachTeam`, for a given list of teams. */
export async function inTeams(scope: Scope, ids: readonly string[], work: (scope: Scope) => Promise<void>): Promise<void> {
  const { ip: _ofThisTeam, ...elsewhere } = scope;
  for (const team of ids.toSorted()) {
    scope.db.enterTeam(team);
    await work(team === scope.team ? scope : { ...elsewhere, team });
  }
  scope.db.enterTeam(scope.team);
}

/**
 * Returns the teams of the current person. Until this transaction ends, no other transaction adds a team to the person.
 */
export function listTeamsToAdd(db: Scope['db'], id: string): Promise<PersonTeam[]> {
  return db.locked(lockTeamsOfPerson, { account: id }, () => listTeams(db));
}

/** The role of a new member. Guests and auditors have an end, and guests a sponsor. */
export type Joining = { role: Role; invitationId?: string; endsAt?: string | null; sponsorId?: string | null };

/** Makes the current person a member of the team of the scope. Errors: 409 `team_limit`. */
export async function joinTeam(scope: Scope, id: string, { role, invitationId, ...ends }: Joining): Promise<void> {
  const own = await listTeamsToAdd(scope.db, id);
  if (own.length >= maxTeams)
    throw accountProblems.team_limit(`You are a member of ${maxTeams} teams, which is the limit. Leave one of them first.`);
  if (
    !(await scope.db.first(insertMember, {
      team: scope.team,
      id,
      role,
      endsAt: ends.endsAt ?? null,
      sponsor: ends.sponsorId ?? null,
      at: scope.now,
    }))
  )
    throw new Error('the person is already a member of this team');
  scope.db.send(dropIdentities, { team: scope.team, account: id });
  await record(scope, memberJoined, id, { role, ...(invitationId === undefined ? {} : { invitationId }) });
}

/** Creates a team for a person whose last membership has ended. The transaction stays confined to the team of the scope. */
export async function ensureTeam(scope: Scope, id: string): Promise<void> {
  scope.db.enterPerson(id);
  if ((await listTeams(scope.db)).length === 0) {
    const { ip: _ofThisTeam, ...outer } = scope;
    await createFirstTeam(outer, id);
  }
  scope.db.enterTeam(scope.team, scope.actor.type === 'user' ? scope.actor.id : '');
}

/** Runs `work` in a transaction of a person without a team. */
export const asPerson = <T>(database: Database, person: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.withoutTeam((tx) => {
    tx.enterPerson(person);
    return work(tx);
  });

/** Creates a team for a person who has no team, and confines the transaction to it. */
export async function createFirstTeam(outer: PublicScope, id: string): Promise<Scope> {
  outer.db.enterPerson(id);
  const person = await outer.db.first(personById, { id });
  if (!person) throw new Error('the person of a verified credential does not exist');
  return createOwnTeam(outer, { id, name: `${person.first_name} ${person.last_name}` });
}

/** Creates a team that the current person owns, and confines the transaction to it. By default the person is the actor. */
export async function createOwnTeam(
  outer: PublicScope,
  person: { id: string; name: string },
  actor: Actor = { type: 'user', id: person.id },
): Promise<Scope> {
  const scope = enterTeam(outer, randomUUIDv7(), actor);
  scope.db.send(insertTeam, { team: scope.team, name: person.name, at: scope.now });
  await joinTeam(scope, person.id, { role: 'owner' });
  return scope;
}
