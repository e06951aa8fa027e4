import { randomUUIDv7 } from 'node:crypto';
import type { Reader } from '../../../platform/database/database.ts';
import type { Row } from '../../../platform/database/row.ts';
import { entryOf, recordAudit } from '../../../platform/journal/record.ts';
import type { PublicScope, Scope } from '../../../platform/scope.ts';
import { withoutLinks } from '../../../platform/text.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';
import { languageOf } from '../../../platform/mail/compose.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { loginSucceeded, newDevice } from '../events.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { problems } from '../../../platform/problems.ts';
import { accountProblems } from '../problems.ts';
import * as credentials from './credential-queries.ts';
import * as queries from '../queries.ts';
import { writeRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const maxUserAgent = 400;

/** The address and user agent of a request, as stored with a session. */
export type Device = { ip: string | undefined; userAgent: string | undefined };

/** A new session: the tokens for its device, and the user as sign-in operations return them. */
export type SignedIn = {
  accessToken: string;
  refreshToken: string;
  user: { id: string; email: string; firstName: string; lastName: string; teamId: string };
};

/**
 * The authentication of a user: methods (RFC 8176), level (NIST SP 800-63B) and times, by default now. With two factors, the time of the second one
 * defaults to the same time. `connection` is the team’s connection to the provider that authenticated them. `endsAt` is the final expiry, by default
 * from the settings and never later.
 */
export type Proven = {
  amr: string[];
  acr: string;
  authTime?: Date;
  secondFactorAt?: Date | undefined;
  /** The time when the person used a password, code or passkey. By default `authTime`; absent for a sign-in through a provider. */
  ownProofAt?: Date | undefined;
  connection?: string;
  /** The identifier of the session at the provider. */
  idpSession?: string | undefined;
  endsAt?: string | undefined;
};

type Person = Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role'>;

type DeviceHistory = queries.DeviceSeen | undefined;

/** Whether the user has had a session with this user agent, and whether the user has had any session. */
export function deviceSeen(scope: Scope, account: string, device: Device): Promise<DeviceHistory> {
  return scope.db.first(queries.deviceSeen, { account, userAgent: userAgentOf(device) });
}

/** Returns the user agent as sessions store it. */
export const userAgentOf = (device: Device) => device.userAgent?.slice(0, maxUserAgent) ?? null;

/** Describes a device for a mail from its user agent, without versions and without text that becomes a link. */
const deviceText = (userAgent: string) => withoutLinks(userAgent.replaceAll(/\/\d[\d.]*/g, '')).slice(0, 120);

/** Mails the user about a sign-in with an unknown user agent, except for the first session of the user. */
export async function noticeNewDevice(
  scope: Scope,
  person: Person & { locale: string },
  device: Device,
  seen: DeviceHistory,
): Promise<void> {
  if (!seen?.others || seen.known) return;
  const userAgent = userAgentOf(device);
  const zone = (await scope.db.first(queries.zoneOfPerson, { team: scope.team, id: person.id }))?.timezone ?? 'UTC';
  await pipelined([
    () => recordAudit(scope, newDevice, person.id),
    () =>
      queueMail(scope.db, {
        to: person.email,
        team: scope.team,
        ...accountMail(
          person.locale,
          'newDevice',
          person.first_name,
          userAgent === null ? '–' : deviceText(userAgent),
          timeInWords(scope.now, languageOf(person.locale), zone),
        ),
      }),
  ]);
}

/** The data of a request after a correct password, with its user. */
export type RightPassword = { team: string; account: string; epoch: number; device: Device; keys: Buffer[]; renewed: Buffer };

const password = { amr: ['pwd'], acr: 'aal1' };

/**
 * Opens a session after a correct password with one statement, if the sign-in needs no further step. Otherwise returns undefined, and the caller uses
 * {@link openSession} in a transaction. One exchange is much faster, because a password hash empties the processor caches. Each exchange and each
 * wake-up of a server process then costs several times as much.
 */
export async function openPlainSession(
  accounts: Accounts,
  db: Pick<Reader, 'first'>,
  { now, requestId, ip }: Omit<PublicScope, 'db' | 'listeners'>,
  { team, account, epoch, device, keys, renewed }: RightPassword,
): Promise<SignedIn | undefined> {
  const session = randomUUIDv7();
  const context = { team, actor: { type: 'user', id: account }, now, requestId, ...(ip === undefined ? {} : { ip }) } as const;
  const person = await db.first(queries.signInPlainly, {
    ...entryOf(context, loginSucceeded, session, { amr: password.amr }),
    ...password,
    account,
    epoch,
    byProvider: false,
    session,
    lasts: accounts.settings.lifetimes.session,
    authTime: now,
    ip: device.ip ?? null,
    userAgent: userAgentOf(device),
    keys,
    renewed,
  });
  return person && signedIn(accounts, team, session, person, { ...password, authTime: now });
}

/** The credential epoch of an account created in this transaction. */
export const firstEpoch = 1;

/** The user of a new session, and their state when the credentials were checked. */
export type SessionSubject = {
  id: string;
  epoch: number;
  /** Creates the error for credentials that have changed since the check. */
  changed: () => Error;
};

/**
 * Opens a session inside the transaction of the user’s team. Every session is opened by this function. It rejects inactive users and teams, a missing
 * required provider, and credentials that have changed since the check. Throws 403 `account_disabled`, `sso_required` or the error of `changed`.
 */
export async function openSession(
  accounts: Accounts,
  scope: Scope,
  subject: SessionSubject,
  device: Device,
  { amr, acr, authTime = scope.now, connection, idpSession, endsAt, ...proven }: Proven,
): Promise<SignedIn> {
  const session = randomUUIDv7();
  const secondFactorAt = 'secondFactorAt' in proven ? proven.secondFactorAt : acr === 'aal2' ? authTime : undefined;
  // A provider vouches for its own team only.
  const ownProofAt = 'ownProofAt' in proven ? proven.ownProofAt : connection === undefined ? authTime : undefined;
  const person = await scope.db.first(credentials.openSession, {
    team: scope.team,
    session,
    account: subject.id,
    epoch: subject.epoch,
    byProvider: connection !== undefined,
    connection: connection ?? null,
    idpSession: idpSession ?? null,
    amr,
    acr,
    authTime,
    ownProofAt: ownProofAt ?? null,
    secondFactorAt: secondFactorAt ?? null,
    at: scope.now,
    lives: endsAt ?? null,
    lasts: accounts.settings.lifetimes.session,
    ip: device.ip ?? null,
    userAgent: userAgentOf(device),
  });
  if (!person) throw (await refusalNow(scope, subject, connection !== undefined)) ?? subject.changed();
  scope.db.send(credentials.rememberTeam, { team: scope.team, account: subject.id });
  await recordAudit(scope, loginSucceeded, session, { amr });
  return signedIn(accounts, scope.team, session, person, { amr, acr, authTime });
}

export const disabled = () => accountProblems.account_disabled('The account is disabled. Ask an administrator of your team.');

/** Why a team is closed to a sign-in, as `team_closed_because` returns it. */
type Closed = 'disabled' | 'credentials_changed' | 'reactivated' | 'proof_too_old' | 'provider_required' | 'own_proof_required';

/** Returns the error for the reason of `team_closed_because`, or undefined if the team is open. */
export function refusalOf(
  closed: string | null,
  { changed, connectionId }: { changed: () => Error; connectionId?: string | undefined },
): Error | undefined {
  if (closed === null) return undefined;
  const refusals: Record<Closed, () => Error> = {
    disabled,
    credentials_changed: changed,
    reactivated: () => accountProblems.team_closed('Your membership was suspended after this sign-in. Sign in again.'),
    proof_too_old: () =>
      problems.reauthentication_required(
        'The team requires a more recent sign-in. POST /api/v1/security/auth/reauthenticate with `password`, `code` or `passkey`; then repeat the request.',
      ),
    provider_required: () => ssoRequired(connectionId),
    own_proof_required: ownProofRequired,
  };
  return refusals[closed as Closed]();
}

async function refusalNow(scope: Scope, { id, epoch, changed }: SessionSubject, byProvider: boolean): Promise<Error | undefined> {
  const found = await scope.db.first(credentials.closedToNew, { team: scope.team, account: id, epoch, byProvider });
  return found ? refusalOf(found.closed, { changed }) : changed();
}

export const teamClosed = () =>
  accountProblems.team_closed(
    'The team is closed to this sign-in. Send the `teamId` of another team, which GET /api/v1/security/auth/teams lists, or sign in again.',
  );

/** The error for a sign-in through a provider, where a password, code or passkey of this service is required. */
export const ownProofRequired = () =>
  problems.reauthentication_required(
    'You signed in through a provider, which confirms your identity only for its own team. POST /api/v1/security/auth/reauthenticate with `password`, `code` or `passkey`; then repeat the request.',
  );

/** The error for a sign-in without the provider that the team enforces, which `connectionId` names. */
export const ssoRequired = (connectionId?: string) =>
  accountProblems.sso_required(
    `The team signs in through its organisation: GET /api/v1/security/auth/sso/start?${connectionId === undefined ? 'email=<your address>' : `connectionId=${connectionId}`}.`,
    connectionId === undefined ? {} : { members: { connectionId } },
  );

/**
 * Rejects a user who may not sign in without a provider, before the second factor is
 * requested. Throws 403 `account_disabled`, `sso_required` or the error of `changed`.
 */
export async function rejectEarly(scope: Scope, subject: SessionSubject): Promise<void> {
  const refusal = await refusalNow(scope, subject, false);
  if (refusal) throw refusal;
}

async function signedIn(
  accounts: Accounts,
  team: string,
  sessionId: string,
  person: Person,
  proven: { amr: string[]; acr: string; authTime: Date },
): Promise<SignedIn> {
  const { role } = person;
  return {
    accessToken: await accounts.tokens.issue({ accountId: person.id, team, role, sessionId, ...proven }),
    refreshToken: writeRefreshToken(accounts.keys.refresh, { owner: team, session: sessionId, counter: 0 }),
    user: { id: person.id, email: person.email, firstName: person.first_name, lastName: person.last_name, teamId: team },
  };
}
