import { randomUUIDv7 } from 'node:crypto';
import { violates } from '../../../platform/database/errors.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { withoutLinks } from '../../../platform/text.ts';
import { enterTeam, type PublicScope, type Scope } from '../../../platform/scope.ts';
import { emailVerified, identityConflict, identityLinked, identityUnlinked, loggedOutAtProvider, userRegistered } from '../events.ts';
import type { Accounts } from '../context.ts';
import { type EmailAddress, parseEmail } from '../emails.ts';
import { dropRegistrations } from '../registration/enrol.ts';
import * as identities from './federation-queries.ts';
import { accountMail } from '../mails.ts';
import { managerContacts } from '../membership/member-queries.ts';
import { lockMembers } from '../membership/membership-queries.ts';
import { memberByEmail } from '../membership/team-queries.ts';
import { joinTeam } from '../membership/teams-of-person.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { cleanPersonName } from '../registration/register.ts';
import { managers, type Role } from '../roles.ts';
import { endMemberSessions, endSessionsThrough, type SessionsAtProvider } from './credentials.ts';
import { providerName } from './provider-name.ts';
import { requireRecentSignIn } from './reauthentication.ts';
import { type Challenge, issueChallenge } from '../two-factor/sign-in.ts';
import { type Device, deviceSeen, disabled, noticeNewDevice, openSession, type Proven, type SignedIn } from './open-session.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** A user authenticated by a provider of their team, after all checks of the response. */
export type Federated = {
  team: string;
  connectionId: string;
  issuer: string;
  subject: string;
  /** The identifier of the user in the directory of the provider (`oid` of Entra ID), if it differs from the subject. */
  objectId?: string | undefined;
  /** The trusted address. Without it, no account is linked and no user joins. */
  email: string | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  language: string;
  proven: Proven;
  /** Whether the provider has verified a second factor and the team trusts this, so that this service does not require one. */
  secondFactorShown: boolean;
  /** The role of a user who joins by this sign-in. */
  role: Role;
  /** Whether a new user gets an account at the first sign-in. If false, an administrator must invite each user. */
  createsAccount: boolean;
  /** Whether the team has verified a domain. */
  owns(domain: string): boolean;
  /** Whether a first sign-in links the member with the address, because the team requires this provider. */
  linksByAddress: boolean;
};

/**
 * Signs in a user with the identity from a provider. Issuer and subject alone identify a user. A new subject joins the team if no account has its
 * address. If a member has the address, that member must sign in and link the identity ({@link linkFederated}). An enforced connection links members
 * at their first sign-in, but not the owner or administrators. The sign-in never opens an account of another team, nor an account that is linked with
 * another subject of the issuer. Throws 403 `account_disabled`, `sso_email_unverified`, `sso_user_not_found`, `sso_link_required` or
 * `sso_identity_conflict`.
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
  const account = known?.here ? known.account_id : ((await provisioned(accounts, outer, who)) ?? (await settle(outer, who)));
  const scope = enterTeam(outer, who.team, { type: 'user', id: account });
  const { person, epoch } = await pipelined({
    person: () => scope.db.first(factors.activeMember, { team: who.team, id: account }),
    epoch: () => scope.db.first(queries.personById, { id: account }),
    touchIdentity: () =>
      scope.db.all(identities.touchIdentity, { ...one, email: who.email ?? null, connection: who.connectionId, at: scope.now }),
  });
  if (!person || !epoch) throw disabled();
  const sessionSubject = { id: person.id, epoch: epoch.credential_epoch, changed: disabled };
  const proven = { ...who.proven, connection: who.connectionId };
  if (person.two_factor_enabled && !who.secondFactorShown) return issueChallenge(accounts, scope, sessionSubject, proven);
  await noticeNewDevice(scope, person, device, await deviceSeen(scope, person.id, device));
  return openSession(accounts, scope, sessionSubject, device, proven);
}

/**
 * Links a subject with the user of the connection’s directory, by the external identifier. No address is needed. Owner and administrators link their
 * account themselves, because another administrator can change the provider and the directory.
 */
async function provisioned(accounts: Accounts, outer: PublicScope, who: Federated): Promise<string | undefined> {
  const scope = enterTeam(outer, who.team, { type: 'system' });
  const account = await accounts.directories.accountOf(scope, { ...who, objectId: who.objectId });
  if (account === undefined) return undefined;
  await scope.db.all(lockMembers, { team: who.team });
  const { linked, person } = await pipelined({
    linked: () => scope.db.first(identities.subjectOf, { team: who.team, account, issuer: who.issuer }),
    person: () => scope.db.first(factors.activeMember, { team: who.team, id: account }),
  });
  if (linked && linked.subject !== who.subject) throw conflict();
  if (!person) throw disabled();
  if (linked) return account;
  if (managers.includes(person.role)) throw linkRequired();
  await link(scope, who, person);
  return account;
}

/** Returns the trusted address of a user. Throws 403 `sso_email_unverified` or `sso_user_not_found`. */
function ownedAddress(who: Federated): EmailAddress {
  const email = who.email === undefined ? undefined : parseEmail(who.email);
  if (!email)
    throw accountProblems.sso_email_unverified(
      'The provider did not confirm your address. Ask an administrator of the provider to send `email_verified`, or of the team to set `emailTrust` to `domain`.',
    );
  if (!who.owns(email.key.slice(email.key.indexOf('@') + 1)))
    throw accountProblems.sso_user_not_found('The team has not verified the domain of your address. Ask an administrator to invite you.');
  return email;
}

/**
 * Returns or creates the account of a subject that signs in for the first time. Concurrent first sign-ins of a subject use the account that one of
 * them created.
 */
async function settle(outer: PublicScope, who: Federated): Promise<string> {
  const email = ownedAddress(who);
  // Before any lock, because the confirmation by code locks registrations first as well.
  await dropRegistrations(outer, email.key);
  const scope = enterTeam(outer, who.team, { type: 'system' });
  await scope.db.all(lockMembers, { team: who.team });
  const one = { team: who.team, issuer: who.issuer, subject: who.subject };
  const { known, member, person } = await pipelined({
    known: () => scope.db.first(identities.findIdentity, one),
    member: () => scope.db.first(memberByEmail, { team: who.team, emailKey: email.key }),
    person: () => scope.db.first(queries.personByEmail, { emailKey: email.key }),
  });
  if (known?.here) return known.account_id;
  if (member) return linkByAddress(scope, who, member.id);
  if (known) throw accountProblems.sso_user_not_found('You were removed from the team. Ask an administrator to invite you.');
  if (!who.createsAccount)
    throw accountProblems.sso_user_not_found(
      'The team admits new users only by invitation. Ask an administrator of the team to invite you.',
    );
  return join(outer, who, email, person?.id);
}

const conflict = () =>
  accountProblems.sso_identity_conflict(
    'The account of your address is linked with another identity at the provider. Ask an administrator of the team to unlink it if it is yours.',
  );

const linkRequired = () =>
  accountProblems.sso_link_required(
    'An account of the team has your address. Sign in to it with another method, then link it with your organisation’s sign-in.',
  );

/** The account with the address of a rejected identity, and whether it is linked with another identity. */
export type IdentityConflict = { account: string; isLinked: boolean };

/**
 * Returns the account in conflict with the identity of a failed sign-in. That account is linked with another subject of the
 * issuer, or only with another issuer. Returns undefined for other errors, and if no account of the team has the address.
 */
export async function conflictOf(db: Reader, who: Federated, error: unknown): Promise<IdentityConflict | undefined> {
  const code = error instanceof Problem ? error.code : undefined;
  if (code !== 'sso_identity_conflict' && code !== 'sso_link_required') return undefined;
  const key = who.email === undefined ? undefined : parseEmail(who.email)?.key;
  const addressOwner = key === undefined ? undefined : await db.first(memberByEmail, { team: who.team, emailKey: key });
  if (!addressOwner) return undefined;
  const account = addressOwner.id;
  const other = await db.first(identities.otherIdentity, { team: who.team, account, issuer: who.issuer, subject: who.subject });
  return code === 'sso_link_required' && !other ? undefined : { account, isLinked: other !== undefined };
}

/**
 * Records a conflict in the journal. If the account is linked with another identity,
 * its user, the owner and the administrators get a mail, once a day for each identity.
 */
export async function recordConflict(
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
  const provider = providerName(issuer);
  const mail = accountMail(person.locale, 'identityRejected', person.first_name, provider);
  await queueMail(scope.db, { to: person.email, team, ...mail });
  const member = `${person.first_name} ${person.last_name} (${person.email})`;
  for (const { email, locale } of managing)
    if (email !== person.email)
      await queueMail(scope.db, { to: email, team, ...accountMail(locale, 'memberIdentityRejected', member, provider) });
}

/** Links a new subject with the member who has its address, if the settings of the connection allow this. */
async function linkByAddress(scope: Scope, who: Federated, account: string): Promise<string> {
  const { linked, person } = await pipelined({
    linked: () => scope.db.first(identities.subjectOf, { team: who.team, account, issuer: who.issuer }),
    person: () => scope.db.first(factors.activeMember, { team: who.team, id: account }),
  });
  if (linked) throw conflict();
  if (!person) throw disabled();
  if (!who.linksByAddress || managers.includes(person.role)) throw linkRequired();
  await link(scope, who, person);
  return account;
}

/**
 * Links a subject with the account of the signed-in user, whose address it must have.
 * Throws 403 `sso_email_unverified`, `sso_user_not_found` or `sso_identity_conflict`.
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
    addressOwner: () => scope.db.first(memberByEmail, { team: who.team, emailKey: email.key }),
  });
  if (known?.here && known.account_id === account) return;
  if (known?.here || linked || addressOwner?.id !== account) throw conflict();
  await link(scope, who, { ...person, id: account });
}

/** Unlinks a member from an issuer and ends their sessions. Returns false if they are not linked. */
export async function unlinkFederated(
  accounts: Accounts,
  scope: Scope,
  { account, issuer, connectionId }: { account: string; issuer: string; connectionId: string },
): Promise<boolean> {
  await scope.db.all(lockMembers, { team: scope.team });
  if (!(await scope.db.first(identities.dropIdentity, { team: scope.team, account, issuer }))) return false;
  await pipelined([
    () => endMemberSessions(accounts, scope, account, null),
    () => recordAudit(scope, identityUnlinked, account, { connectionId }),
  ]);
  return true;
}

/**
 * Ends the sessions after a logout at a provider. The logout names a subject, a session at the provider, or both. The
 * caller must have locked the connection. An unknown subject has no sessions.
 */
export async function endSessionsAtProvider(
  accounts: Accounts,
  scope: Scope,
  { connectionId, issuer, subject, idpSession }: { connectionId: string; issuer: string; subject?: string; idpSession?: string },
): Promise<void> {
  const known = subject === undefined ? undefined : await scope.db.first(identities.findIdentity, { team: scope.team, issuer, subject });
  if (subject !== undefined && !known) return;
  const only = { ...(known ? { account: known.account_id } : {}), ...(idpSession === undefined ? {} : { idpSession }) };
  const ended = await endSessionsThrough(accounts, scope, connectionId, only as SessionsAtProvider);
  for (const account of ended) await recordAudit(scope, loggedOutAtProvider, account, { connectionId });
}

type Linked = { id: string; email: string; first_name: string; locale: string };

async function link(scope: Scope, who: Federated, person: Linked): Promise<void> {
  await pipelined([
    () => keepIdentity(scope, who, person.id),
    () =>
      queueMail(scope.db, {
        to: person.email,
        team: who.team,
        ...accountMail(person.locale, 'identityLinked', person.first_name, providerName(who.issuer)),
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

/** Makes a person a member of the team: the person with the address, or a new person without a password. */
async function join(outer: PublicScope, who: Federated, email: EmailAddress, existing: string | undefined): Promise<string> {
  const id = existing ?? randomUUIDv7();
  const own = enterTeam(outer, who.team, { type: 'user', id });
  if (existing === undefined) await registerPerson(own, who, email, id);
  await joinTeam(own, id, { role: who.role });
  await keepIdentity(own, who, id);
  return id;
}

async function registerPerson(own: Scope, who: Federated, email: EmailAddress, id: string): Promise<void> {
  // The part before the @ can look like the address of a page.
  const local = withoutLinks(email.address.split('@', 1)[0] ?? '');
  const inserted = own.db.all(queries.insertPerson, {
    id,
    email: email.address,
    emailKey: email.key,
    firstName: nameOr(who.firstName, local),
    lastName: nameOr(who.lastName, '–'),
    locale: who.language,
    passwordHash: null,
    at: own.now,
  });
  try {
    await inserted;
  } catch (error) {
    if (violates(error, 'person_email_once'))
      throw problems.conflict('The address was registered at the same time. Begin the sign-in again.');
    throw error;
  }
  await pipelined([() => recordAudit(own, userRegistered, id), () => recordAudit(own, emailVerified, id)]);
}

/** Returns the provider’s name for the user if it is a valid name, otherwise `otherwise`. */
function nameOr(given: string | undefined, otherwise: string): string {
  if (given === undefined) return otherwise;
  try {
    return cleanPersonName(given, 'name');
  } catch {
    return otherwise;
  }
}
