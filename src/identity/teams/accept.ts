import { randomUUIDv7 } from 'node:crypto';
import {
  accountExists,
  accountProblems,
  type Accounts,
  checkPerson,
  closeTeam,
  continueSession,
  type Device,
  dropRegistrations,
  enrol,
  joinTeam,
  leaveTeam,
  lockMembers,
  proofOfSession,
  type SignedIn,
  type InvitationWaits,
  teamClosed,
  teamStatements,
} from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import { tokenHash } from '../../platform/crypto/tokens.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { enterTeam, type Principal, type PublicScope, type ReadScope, type Scope, type RunUnauthenticated } from '../../platform/scope.ts';
import * as queries from './invitation-queries.ts';
import { teamProblems } from './problems.ts';
import type { TeamInUse } from './queries.ts';
import type { Accept, Preview, Waiting } from './schemas.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** What accepting works with: accounts, and what asks whether a team holds anything. */
export type Teams = Accounts & { inUse: TeamInUse };

type Living = queries.Living;

const invalid = () =>
  teamProblems.invalid_invitation('The link is wrong, was used or replaced, or is too old. Ask the team for a new invitation.');

/** The invitation of a link. Wrong links are counted by where they come from; the answer is one for all of them. */
async function livingInvitation(accounts: Accounts, database: Database, token: string, ip: string | undefined) {
  const buckets = accounts.throttle.invitationLink(ip);
  const found = await database.withoutTeam(async (tx) => {
    await accounts.throttle.check(tx, buckets);
    return tx.first(queries.invitationByToken, { hash: tokenHash(token) });
  });
  if (found) return found;
  await accounts.throttle.count(database, buckets);
  throw invalid();
}

/** What a link opens, for the page that asks whether to accept. Errors: 400 `invalid_invitation`, 429. */
export async function previewInvitation(accounts: Accounts, database: Database, token: string, ip: string | undefined): Promise<Preview> {
  const found = await livingInvitation(accounts, database, token, ip);
  const account = await accountOf(database, found.email_key);
  return {
    teamName: found.team_name,
    email: found.email,
    role: found.role,
    expiresAt: found.expires_at,
    hasAccount: account !== undefined,
  };
}

function accountOf(database: Database, emailKey: string) {
  return database.withoutTeam((tx) => tx.first(queries.accountOfAddress, { emailKey }));
}

/**
 * Accepts an invitation by its link: whoever is signed in with the invited address joins the team; somebody without an
 * account registers with names and password, their address being proven by the mail. Errors: 400 `invalid_invitation`,
 * `validation_failed`, 403 `invitation_for_another_address`, 409 `account_exists`, `already_member`,
 * `member_of_another_team`, `team_has_members`, `team_not_empty`, 429.
 */
export async function acceptInvitation(
  accounts: Teams,
  database: Database,
  inPublic: RunUnauthenticated,
  input: Accept,
  device: Device & { language: string },
  principal: Principal | null,
): Promise<{ how: 'joined' | 'registered'; signedIn: SignedIn }> {
  if ((input.token === undefined) === (input.invitationId === undefined))
    throw problems.validation_failed('Give either the `token` of the link, or the `invitationId` of an invitation that waits for you.');
  const found =
    input.token === undefined
      ? await ownInvitation(database, principal, input.invitationId ?? '')
      : await livingInvitation(accounts, database, input.token, device.ip);
  // By its identifier it is taken by who has confirmed the address, whatever link was mailed last.
  const hash = input.token === undefined ? null : tokenHash(input.token);
  if (principal) {
    const signedIn = await inPublic((scope) => join(accounts, scope, found, hash, device, principal));
    // They are in the team, and their session ended with their own.
    if (!signedIn)
      throw accountProblems.sso_required(
        'You have joined. The team signs in through its organisation: GET /api/v1/security/auth/sso/start?email=<your address>.',
      );
    return { how: 'joined', signedIn };
  }
  return { how: 'registered', signedIn: await register(accounts, database, inPublic, found, hash, input, device) };
}

async function register(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  found: Living,
  hash: Buffer | null,
  input: Accept,
  device: Device & { language: string },
): Promise<SignedIn> {
  if (await accountOf(database, found.email_key)) throw accountExists();
  const given = requirePerson(input);
  const names = await checkPerson(accounts, found.email_key, given);
  const passwordHash = await accounts.hasher.hash(given.password);
  const id = randomUUIDv7();
  return inPublic(async (outer) => {
    await dropRegistrations(outer, found.email_key);
    await outer.db.all(lockMembers, { team: found.team_id });
    const scope = enterTeam(outer, found.team_id, { type: 'user', id });
    const { role } = await take(scope, found.id, hash, id);
    const newcomer = {
      id,
      email: found.email,
      emailKey: found.email_key,
      ...names,
      locale: device.language,
      passwordHash,
      role,
      invitationId: found.id,
    };
    return enrol(accounts, scope, newcomer, device);
  });
}

function requirePerson(input: Accept): { firstName: string; lastName: string; password: string } {
  const { firstName, lastName, password } = input;
  if (firstName !== undefined && lastName !== undefined && password !== undefined) return { firstName, lastName, password };
  const missing = (['firstName', 'lastName', 'password'] as const).filter((member) => input[member] === undefined);
  throw problems.validation_failed(
    'Nobody is signed in, so accepting registers: give `firstName`, `lastName` and `password`. With an account, send its access token instead.',
    { errors: missing.map((name) => ({ name, pointer: `/${name}`, reason: 'is required', rule: 'required' })) },
  );
}

/** Nothing is returned where the team signs in through a provider: that comes next. The person's own, empty team is closed; whoever is in a team with others leaves it first, knowingly. */
async function join(
  accounts: Teams,
  outer: PublicScope,
  found: Living,
  hash: Buffer | null,
  device: Device,
  principal: Principal,
): Promise<SignedIn | undefined> {
  const { actor, team: old = '' } = principal;
  if (actor.type !== 'user') throw problems.forbidden('Only a person can accept an invitation: sign in with the invited address.');
  // Both teams' memberships, in one order for all, so that two people who swap teams do not wait for one another.
  for (const team of [old, found.team_id].toSorted()) await outer.db.all(lockMembers, { team });
  const left = enterTeam(outer, old, actor);
  const proof = await proofOfSession(left, actor.id, principal.sessionId);
  await refuseUnfit(accounts.inUse, left, actor.id, found);
  const person = await leaveTeam(accounts, left, actor.id, 'left');
  if (!person) throw problems.invalid_token('The account is no longer in its team. Sign in again.');
  left.db.send(closeTeam, { team: old, at: left.now });
  left.db.send(queries.revokeAll, { team: old, at: left.now });
  await recordAudit(left, teamClosed, old);
  outer.db.afterCommit(() => accounts.tokens.forget(`team ${old}`));
  const joined = enterTeam(outer, found.team_id, actor);
  const { role } = await take(joined, found.id, hash, actor.id);
  const epoch = await joinTeam(joined, person, role, found.id);
  return continueSession(accounts, joined, { id: person.id, epoch }, proof, device).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'sso_required') return undefined;
    throw error;
  });
}

async function refuseUnfit(inUse: TeamInUse, left: Scope, id: string, found: Living): Promise<void> {
  const one = { team: left.team };
  const { own, self, team, use } = await left.db.locked(teamStatements.fenceTeam, one, () =>
    pipelined({
      own: () => left.db.first(teamStatements.memberByEmail, { ...one, emailKey: found.email_key }),
      self: () => left.db.first(teamStatements.holdMembers, { ...one, ids: [id] }),
      team: () => left.db.first(teamStatements.findTeam, one),
      use: () => left.db.first(inUse, one),
    }),
  );
  if (own?.id !== id)
    throw teamProblems.invitation_for_another_address('You are signed in with another address than the one that was invited.');
  if (left.team === found.team_id) throw teamProblems.already_member('You are a member of this team already.');
  if (self?.role !== 'owner')
    throw teamProblems.member_of_another_team('You are in another team. Leave it with POST /api/v1/team/leave, then accept.');
  if ((team?.members ?? 0) > 1)
    throw teamProblems.team_has_members('You own a team with other members. Transfer it and leave, or remove them, then accept.');
  if (use?.content)
    throw teamProblems.team_not_empty('Your own team still has things in it, and accepting closes it. Delete them first, then accept.');
}

async function take(scope: Scope, id: string, hash: Buffer | null, by: string): Promise<queries.InvitationRow> {
  const taken = await scope.db.first(queries.takeInvitation, { team: scope.team, id, hash, by, at: scope.now });
  if (!taken) throw invalid();
  return taken;
}

/** Whether an invitation waits for an address that has just been confirmed by its code. */
export const invitationWaits: InvitationWaits = async ({ db }, emailKey) =>
  (await db.first(queries.invitationsOfAddress, { emailKey })) !== undefined;

/** The invitations that wait for the address of who asks, the newest first. */
export async function waitingInvitations(scope: ReadScope, database: Database, id: string): Promise<Waiting[]> {
  return (await addressedTo(scope, database, id)).map((row) => ({
    id: row.id,
    teamName: row.team_name,
    role: row.role,
    expiresAt: row.expires_at,
  }));
}

async function addressedTo({ db, team }: Pick<ReadScope, 'db' | 'team'>, database: Database, id: string): Promise<Living[]> {
  const own = await db.first(teamStatements.addressOf, { team, id });
  return own ? database.withoutTeam((tx) => tx.all(queries.invitationsOfAddress, { emailKey: own.email_key })) : [];
}

/** One of them, for who is signed in. Errors: 400, 404. */
async function ownInvitation(database: Database, principal: Principal | null, given: string): Promise<Living> {
  const id = pathId(given, 'invitation');
  if (principal?.actor.type !== 'user' || principal.team === undefined)
    throw problems.unauthenticated('Send an access token of the person who was invited, or the `token` of the link in the mail.');
  const { team, actor } = principal;
  const found = (await addressedTo({ db: database.reader(team), team }, database, actor.id)).find((one) => one.id === id);
  if (!found) throw notFound('invitation');
  return found;
}
