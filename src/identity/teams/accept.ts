import { randomUUIDv7 } from 'node:crypto';
import {
  accountExists,
  accountProblems,
  type Accounts,
  checkPerson,
  closeTeam,
  type Device,
  dropRegistrations,
  enrol,
  guestStatements,
  joinTeam,
  type Joining,
  endMembership,
  listTeams,
  lockMembers,
  openSignInHere,
  reachOfSignIn,
  requireOwnSignIn,
  type SignedIn,
  type InvitationWaits,
  teamClosed,
  teamStatements,
} from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import { readTeamToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { enterTeam, type Principal, type PublicScope, type ReadScope, type Scope, type RunUnauthenticated } from '../../platform/scope.ts';
import { grantAccess, type GuestShares } from './guests.ts';
import { clearUndeliverable } from '../../platform/mail/undeliverable-queries.ts';
import * as queries from './invitation-queries.ts';
import { teamProblems } from './problems.ts';
import type { TeamInUse } from './queries.ts';
import type { Accept, Preview, Seat, Waiting } from './schemas.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Opens the seat of an auditor who has joined. The access domain provides it. */
export type OpenSeat = (scope: Scope, auditor: { id: string; invitedBy: string; seat: Seat }) => Promise<void>;

/** Dependencies of the acceptance of invitations: accounts, the statement that determines whether a team has content, and the shares for guests and seats for
 * auditors. */
export type Teams = Accounts & { inUse: TeamInUse; guestShares: GuestShares; openSeat: OpenSeat };

type Living = queries.Living;

const invalid = () => teamProblems.invalid_invitation('The link is wrong, used, replaced or expired. Ask the team for a new invitation.');

/** Returns the invitation of a link. Wrong links are counted by network, and all get the same error. */
async function livingInvitation(accounts: Accounts, database: Database, token: string, ip: string | undefined) {
  const buckets = accounts.throttle.invitationLink(ip);
  const key = readTeamToken(token);
  const found = await database.withoutTeam(async (tx) => {
    await accounts.throttle.check(tx, buckets);
    return key && tx.first(queries.invitationByToken, key);
  });
  if (found) return found;
  await accounts.throttle.count(database, buckets);
  throw invalid();
}

/** Returns the preview of an invitation for the page that accepts it. Throws 400 `invalid_invitation` or 429. */
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
 * Accepts an invitation by its link. A user who is signed in with the invited address joins the team. A user without an account registers with names
 * and password; the mailed link verifies the address. Errors: 400 `invalid_invitation`, `validation_failed`, 401 `reauthentication_required`, 403
 * `invitation_for_another_address`, 409 `account_exists`, `already_member`, `team_limit`, 429.
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
    throw problems.validation_failed('Give either the `token` of the link, or the `invitationId` of a pending invitation to your address.');
  const found =
    input.token === undefined
      ? await ownInvitation(database, principal, input.invitationId ?? '')
      : await livingInvitation(accounts, database, input.token, device.ip);
  // An invitation accepted by its identifier needs no link: the caller has confirmed the address.
  const hash = input.token === undefined ? null : tokenHash(input.token);
  if (principal) {
    const signedIn = await inPublic((scope) => join(accounts, scope, found, hash, principal));
    if (!signedIn)
      throw accountProblems.sso_required(
        'You joined the team. It signs in through its identity provider: GET /api/v1/security/auth/sso/start?email=<your address>.',
      );
    return { how: 'joined', signedIn };
  }
  return { how: 'registered', signedIn: await register(accounts, database, inPublic, found, hash, input, device) };
}

async function register(
  accounts: Teams,
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
    const taken = await take(scope, found.id, hash, id);
    const newcomer = {
      id,
      email: found.email,
      emailKey: found.email_key,
      ...names,
      locale: device.language,
      passwordHash,
      joining: await joiningBy(scope, taken),
    };
    const session = await enrol(accounts, scope, newcomer, device);
    await grantTo(accounts, scope, taken, id);
    return session;
  });
}

function requirePerson(input: Accept): { firstName: string; lastName: string; password: string } {
  const { firstName, lastName, password } = input;
  if (firstName !== undefined && lastName !== undefined && password !== undefined) return { firstName, lastName, password };
  const missing = (['firstName', 'lastName', 'password'] as const).filter((member) => input[member] === undefined);
  throw problems.validation_failed(
    'The request has no access token, so it registers an account. Send `firstName`, `lastName` and `password`, or the access token of your account.',
    { errors: missing.map((name) => ({ name, pointer: `/${name}`, reason: 'is required', rule: 'required' })) },
  );
}

/**
 * Adds the membership and opens the sign-in in the team. Returns undefined if the team enforces a provider. Closes a team that the person owns, if it
 * is empty and has no other member.
 */
async function join(
  accounts: Teams,
  outer: PublicScope,
  found: Living,
  hash: Buffer | null,
  principal: Principal,
): Promise<SignedIn | undefined> {
  const { actor, team: current = '', sessionId } = principal;
  if (actor.type !== 'user') throw problems.forbidden('Only a user can accept an invitation. Sign in with the invited address.');
  // The memberships of both teams, in one order for all, so that two people who join each other's teams do not deadlock.
  for (const team of [...new Set([current, found.team_id])].toSorted()) await outer.db.all(lockMembers, { team });
  const here = enterTeam(outer, current, actor);
  await requireOwnSignIn(here, sessionId);
  await refuseUnfit(here, actor.id, found);
  await closeIfEmpty(accounts, here, actor.id);
  const joined = enterTeam(outer, found.team_id, actor);
  const taken = await take(joined, found.id, hash, actor.id);
  await joinTeam(joined, actor.id, await joiningBy(joined, taken));
  await grantTo(accounts, joined, taken, actor.id);
  return openSignInHere(accounts, joined, sessionId, actor.id).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'sso_required') return undefined;
    throw error;
  });
}

async function refuseUnfit(scope: Scope, id: string, found: Living): Promise<void> {
  const { own, member } = await pipelined({
    own: () => scope.db.first(teamStatements.memberByEmail, { team: scope.team, emailKey: found.email_key }),
    member: () => listTeams(scope.db),
  });
  if (own?.id !== id)
    throw teamProblems.invitation_for_another_address('The invitation is for another address. Sign in with the invited address.');
  if (member.some((team) => team.id === found.team_id)) throw teamProblems.already_member('You are already a member of this team.');
}

/** Closes the team of the scope if the person is its only member and it has no content. */
async function closeIfEmpty(accounts: Teams, scope: Scope, id: string): Promise<void> {
  const one = { team: scope.team };
  const { self, team, use } = await scope.db.locked(teamStatements.lockTeamForClosure, one, () =>
    pipelined({
      self: () => scope.db.first(teamStatements.findMember, { ...one, id }),
      team: () => scope.db.first(teamStatements.findTeam, one),
      use: () => scope.db.first(accounts.inUse, one),
    }),
  );
  if (self?.role !== 'owner' || team?.members !== 1 || use?.content) return;
  await endMembership(accounts, scope, id, 'closed');
  scope.db.send(closeTeam, { team: scope.team, at: scope.now });
  scope.db.send(queries.revokeAll, { team: scope.team, at: scope.now });
  await recordAudit(scope, teamClosed, scope.team);
  scope.db.afterCommit(() => accounts.tokens.forget(`team ${scope.team}`));
}

/** Gives a new guest or auditor the resources of the invitation. */
async function grantTo({ guestShares, openSeat }: Teams, scope: Scope, taken: queries.InvitationRow, id: string): Promise<void> {
  await grantAccess(guestShares, scope, taken, id);
  if (taken.seat !== null) await openSeat(scope, { id, invitedBy: taken.invited_by, seat: taken.seat });
}

/** The membership that an invitation gives. If the sponsor can no longer be one, the owner is. */
async function joiningBy({ db, team }: Scope, { id, role, ends_at: endsAt, sponsor_id: sponsor }: queries.InvitationRow): Promise<Joining> {
  const found = role === 'guest' ? await db.first(guestStatements.sponsorNow, { team, sponsor }) : undefined;
  return { role, invitationId: id, endsAt, sponsorId: found?.id ?? null };
}

async function take(scope: Scope, id: string, hash: Buffer | null, by: string): Promise<queries.InvitationRow> {
  const taken = await scope.db.first(queries.takeInvitation, { team: scope.team, id, hash, by, at: scope.now });
  if (!taken) throw invalid();
  scope.db.send(clearUndeliverable, { team: scope.team, address: taken.email, at: scope.now });
  return taken;
}

/** Whether a pending invitation exists for an address that was confirmed by code. */
export const invitationWaits: InvitationWaits = async ({ db }, emailKey) =>
  (await db.first(queries.invitationsOfAddress, { emailKey })) !== undefined;

/**
 * Lists the pending invitations to the caller’s address, newest first. The list is empty for a sign-in without a
 * password, code or passkey of this service, which could not accept them.
 */
export async function waitingInvitations(
  scope: ReadScope,
  database: Database,
  { id, session }: { id: string; session: string },
): Promise<Waiting[]> {
  const reach = await scope.db.first(reachOfSignIn, { account: id, session });
  if (!reach?.is_own) return [];
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

/** Returns a pending invitation to the address of the signed-in user. Throws 400, 401 or 404. */
async function ownInvitation(database: Database, principal: Principal | null, given: string): Promise<Living> {
  const id = pathId(given, 'invitation');
  if (principal?.actor.type !== 'user' || principal.team === undefined)
    throw problems.unauthenticated('Send an access token of the invited user, or the `token` of the link in the mail.');
  const { team, actor } = principal;
  const found = (await addressedTo({ db: database.reader(team), team }, database, actor.id)).find((one) => one.id === id);
  if (!found) throw notFound('invitation');
  return found;
}
