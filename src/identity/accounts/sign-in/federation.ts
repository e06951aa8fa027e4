import { randomUUIDv7 } from 'node:crypto';
import { violates } from '../../../platform/database/errors.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { withoutLinks } from '../../../platform/text.ts';
import { enterTeam, type PublicScope, type Scope } from '../../../platform/scope.ts';
import { emailVerified, identityConflict, identityLinked, identityUnlinked, memberJoined, userRegistered } from '../events.ts';
import type { Accounts } from '../context.ts';
import { type EmailAddress, parseEmail } from '../emails.ts';
import { dropRegistrations } from '../registration/enrol.ts';
import * as identities from './federation-queries.ts';
import { accountMail } from '../mails.ts';
import { managerContacts } from '../membership/member-queries.ts';
import { lockMembers } from '../membership/team-transfer-queries.ts';
import { Problem } from '../../../platform/problems.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { cleanPersonName } from '../registration/register.ts';
import { managers, type Role } from '../roles.ts';
import { endSessions } from './credentials.ts';
import { requireRecentSignIn } from './reauthentication.ts';
import { type Challenge, issueChallenge } from '../two-factor/sign-in.ts';
import { type Device, deviceSeen, disabled, noticeNewDevice, openSession, type Proven, type SignedIn } from './open-session.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** A person as a provider of their team vouches for them, after everything about the answer was checked. */
export type Federated = {
  team: string;
  connectionId: string;
  issuer: string;
  subject: string;
  /** The address that counts as verified. Without it, no account is linked and no person joins. */
  email: string | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  language: string;
  proven: Proven;
  /** The provider has asked for a second factor, and the team trusts it with that: this service does not ask again. */
  secondFactorShown: boolean;
  /** What somebody is who joins by signing in. */
  role: Role;
  /** A new person gets an account at the first sign-in. If false, an administrator invites each person. */
  createsAccount: boolean;
  /** Whether the team has shown that addresses of a domain are its own. */
  owns(domain: string): boolean;
  /** The team signs in through this provider alone: a first sign-in links the member who has the address. */
  linksByAddress: boolean;
};

/**
 * Signs in a person with the identity from a provider. Issuer and subject alone identify a person. A new subject joins the team if no account
 * has its address. If a member has the address, the signed-in member links the two ({@link linkFederated}). An enforced connection links
 * members at their first sign-in, but not owner and administrators. The sign-in never opens an account of another team, nor an account that is
 * linked with another subject of the issuer. Errors: 403 `account_disabled`, `sso_email_unverified`, `sso_user_not_found`,
 * `sso_account_in_another_team`, `sso_link_required`, `sso_identity_conflict`.
 */
export async function signInFederated(
  accounts: Accounts,
  outer: PublicScope,
  who: Federated,
  device: Device,
): Promise<SignedIn | Challenge> {
  const one = { team: who.team, issuer: who.issuer, subject: who.subject };
  const vouched = enterTeam(outer, who.team, { type: 'system' });
  const known = await vouched.db.first(identities.findIdentity, one);
  const account = known?.here ? known.account_id : await settle(outer, who);
  const scope: Scope = { ...vouched, actor: { type: 'user', id: account } };
  const { person } = await pipelined({
    person: () => scope.db.first(factors.activeMember, { team: who.team, id: account }),
    touchIdentity: () =>
      scope.db.all(identities.touchIdentity, { ...one, email: who.email ?? null, connection: who.connectionId, at: scope.now }),
  });
  if (!person) throw disabled();
  const sessionSubject = { id: person.id, epoch: person.credential_epoch, changed: disabled };
  const proven = { ...who.proven, connection: who.connectionId };
  if (person.two_factor_enabled && !who.secondFactorShown) return issueChallenge(accounts, scope, sessionSubject, proven);
  await noticeNewDevice(scope, person, device, await deviceSeen(scope, person.id, device));
  return openSession(accounts, scope, sessionSubject, device, proven);
}

/** The address of a person, if it counts. Errors: 403 `sso_email_unverified`, `sso_user_not_found`. */
function ownedAddress(who: Federated): EmailAddress {
  const email = who.email === undefined ? undefined : parseEmail(who.email);
  if (!email)
    throw accountProblems.sso_email_unverified(
      'The provider does not say that your address is verified. Ask an administrator of the provider to send `email_verified`, or of the team to set `emailTrust` to `domain`.',
    );
  if (!who.owns(email.key.slice(email.key.indexOf('@') + 1)))
    throw accountProblems.sso_user_not_found(
      'Your address is of no domain that the team has verified. Ask an administrator to invite you.',
    );
  return email;
}

/** Finds or creates the account of a subject that signs in for the first time. Of concurrent sign-ins, later ones find the account of the first. */
async function settle(outer: PublicScope, who: Federated): Promise<string> {
  const email = ownedAddress(who);
  // Before any lock: confirming by code takes them first as well.
  await dropRegistrations(outer, email.key);
  const scope = enterTeam(outer, who.team, { type: 'system' });
  await scope.db.all(lockMembers, { team: who.team });
  const one = { team: who.team, issuer: who.issuer, subject: who.subject };
  const { known, addressOwner } = await pipelined({
    known: () => scope.db.first(identities.findIdentity, one),
    addressOwner: () => scope.db.first(queries.accountByEmail, { emailKey: email.key }),
  });
  if (known?.here) return known.account_id;
  if (addressOwner && addressOwner.team_id !== who.team) throw elsewhere();
  if (addressOwner) return linkByAddress(scope, who, addressOwner.id);
  if (known) throw accountProblems.sso_user_not_found('You were removed from the team. Ask an administrator to invite you.');
  if (!who.createsAccount)
    throw accountProblems.sso_user_not_found('The team admits new people by invitation. Ask an administrator of the team to invite you.');
  return join(scope, who, email);
}

const elsewhere = () =>
  accountProblems.sso_account_in_another_team(
    'Your address has an account in another team. Sign in to it with its password, leave that team, and accept an invitation to this one.',
  );

const conflict = () =>
  accountProblems.sso_identity_conflict(
    'The account of your address is linked with another identity at the provider. Ask an administrator of the team to unlink it if it is yours.',
  );

/** The account that a rejected identity has the address of, and whether that account is linked with another identity. */
export type IdentityConflict = { account: string; isLinked: boolean };

/**
 * The account in conflict with the identity of a sign-in that failed with `error`. The account is linked with another subject of the issuer, or with
 * another issuer and not yet with this one. No result for other errors, and if no account of the team has the address.
 */
export async function conflictOf(db: Reader, who: Federated, error: unknown): Promise<IdentityConflict | undefined> {
  const code = error instanceof Problem ? error.code : undefined;
  if (code !== 'sso_identity_conflict' && code !== 'sso_link_required') return undefined;
  const key = who.email === undefined ? undefined : parseEmail(who.email)?.key;
  const addressOwner = key === undefined ? undefined : await db.first(queries.accountByEmail, { emailKey: key });
  if (addressOwner?.team_id !== who.team) return undefined;
  const account = addressOwner.id;
  const other = await db.first(identities.otherIdentity, { team: who.team, account, issuer: who.issuer, subject: who.subject });
  return code === 'sso_link_required' && !other ? undefined : { account, isLinked: other !== undefined };
}

/**
 * Records a conflict in the journal. If the account is linked with another identity, its person, the owner and the administrators get a mail,
 * one a day for each identity.
 */
export async function noteConflict(
  accounts: Accounts,
  outer: PublicScope,
  { team, connectionId, issuer, subject }: Federated,
  { account, isLinked }: IdentityConflict,
): Promise<void> {
  const scope = enterTeam(outer, team, { type: 'system' });
  const identity = accounts.throttle.notice(account, `identity of ${issuer} ${subject}`);
  const { person, isFirst, managing } = await pipelined({
    journal: () => recordAudit(scope, identityConflict, account, { connectionId }),
    person: () => scope.db.first(queries.accountById, { team, id: account }),
    isFirst: () => isLinked && accounts.throttle.take(scope.db, identity),
    managing: () => scope.db.all(managerContacts, { team }),
  });
  if (!person || !isFirst) return;
  const provider = new URL(issuer).host;
  const mail = accountMail(person.locale, 'identityRejected', person.first_name, provider);
  await queueMail(scope.db, { to: person.email, team, ...mail });
  const member = `${person.first_name} ${person.last_name} (${person.email})`;
  for (const { email, locale } of managing)
    if (email !== person.email)
      await queueMail(scope.db, { to: email, team, ...accountMail(locale, 'memberIdentityRejected', member, provider) });
}

/** Links a new subject with the member who has its address, if the team trusts the provider with this decision. */
async function linkByAddress(scope: Scope, who: Federated, account: string): Promise<string> {
  const { linked, person } = await pipelined({
    linked: () => scope.db.first(identities.subjectOf, { team: who.team, account, issuer: who.issuer }),
    person: () => scope.db.first(factors.activeMember, { team: who.team, id: account }),
  });
  if (linked) throw conflict();
  if (!person) throw disabled();
  if (!who.linksByAddress || managers.includes(person.role))
    throw accountProblems.sso_link_required(
      'An account of the team has your address. Sign in to it in another way, then link it with your organisation’s sign-in.',
    );
  await link(scope, who, person);
  return account;
}

/**
 * Links a subject with the account of the person who is signed in, whose address it must have. Errors: 403 `sso_email_unverified`,
 * `sso_user_not_found`, `sso_identity_conflict`.
 */
export async function linkFederated(scope: Scope, session: string, who: Federated): Promise<void> {
  const email = ownedAddress(who);
  const one = { team: who.team, issuer: who.issuer, subject: who.subject };
  await scope.db.all(lockMembers, { team: who.team });
  const person = await requireRecentSignIn(scope, session);
  const account = person.account_id;
  const { known, linked, addressOwner } = await pipelined({
    known: () => scope.db.first(identities.findIdentity, one),
    linked: () => scope.db.first(identities.subjectOf, { team: who.team, account, issuer: who.issuer }),
    addressOwner: () => scope.db.first(queries.accountByEmail, { emailKey: email.key }),
  });
  if (known?.here && known.account_id === account) return;
  if (known?.here || linked || addressOwner?.id !== account) throw conflict();
  await link(scope, who, { ...person, id: account });
}

/** Unlinks a member from an issuer, and ends their sessions; false when they are not linked. */
export async function unlinkFederated(
  accounts: Accounts,
  scope: Scope,
  { account, issuer, connectionId }: { account: string; issuer: string; connectionId: string },
): Promise<boolean> {
  await scope.db.all(lockMembers, { team: scope.team });
  if (!(await scope.db.first(identities.dropIdentity, { team: scope.team, account, issuer }))) return false;
  await pipelined([
    () => endSessions(accounts, scope, account, null),
    () => recordAudit(scope, identityUnlinked, account, { connectionId }),
  ]);
  return true;
}

type Linked = { id: string; email: string; first_name: string; locale: string };

async function link(scope: Scope, who: Federated, person: Linked): Promise<void> {
  await pipelined([
    () => keepIdentity(scope, who, person.id),
    () =>
      queueMail(scope.db, {
        to: person.email,
        team: who.team,
        ...accountMail(person.locale, 'identityLinked', person.first_name, new URL(who.issuer).host),
      }),
  ]);
}

async function keepIdentity(scope: Scope, who: Federated, account: string): Promise<void> {
  scope.db.send(identities.putIdentity, {
    team: who.team,
    id: randomUUIDv7(),
    issuer: who.issuer,
    subject: who.subject,
    email: who.email ?? null,
    account,
    connection: who.connectionId,
    at: scope.now,
  });
  await recordAudit(scope, identityLinked, account, { connectionId: who.connectionId });
}

/** Makes an account without a password in the team. */
async function join(scope: Scope, who: Federated, email: EmailAddress): Promise<string> {
  const id = randomUUIDv7();
  const own: Scope = { ...scope, actor: { type: 'user', id } };
  // Of who signs in for the first time, the part before the @ may look like a page's address.
  const local = withoutLinks(email.address.split('@', 1)[0] ?? '');
  const inserted = scope.db.all(queries.insertAccount, {
    team: who.team,
    id,
    email: email.address,
    emailKey: email.key,
    firstName: nameOr(who.firstName, local),
    lastName: nameOr(who.lastName, '–'),
    role: who.role,
    locale: who.language,
    passwordHash: null,
    at: scope.now,
  });
  try {
    await inserted;
  } catch (error) {
    // Somebody registered the address in this moment.
    if (violates(error, 'account_email_once')) throw elsewhere();
    throw error;
  }
  await pipelined([
    () => recordAudit(own, userRegistered, id),
    () => recordAudit(own, emailVerified, id),
    () => record(own, memberJoined, id, { role: who.role }),
  ]);
  await keepIdentity(own, who, id);
  return id;
}

/** A name as the provider has it, where it can stand as one here. */
function nameOr(given: string | undefined, otherwise: string): string {
  if (given === undefined) return otherwise;
  try {
    return cleanPersonName(given, 'name');
  } catch {
    return otherwise;
  }
}
