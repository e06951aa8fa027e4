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
import { accountProblems } from '../problems.ts';
import * as credentials from './credential-queries.ts';
import type { SignInConditions } from './credential-queries.ts';
import * as queries from '../queries.ts';
import { writeRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const maxUserAgent = 400;

/** Where a request came from, as far as a session remembers it. */
export type Device = { ip: string | undefined; userAgent: string | undefined };

/** A new session: the tokens of the device it was made for, and the person as sign-in operations show them. */
export type SignedIn = {
  accessToken: string;
  refreshToken: string;
  user: { id: string; email: string; firstName: string; lastName: string; teamId: string };
};

/**
 * How a person has proven who they are (RFC 8176), how strong that is (NIST SP 800-63B), and when, if not now: anything at
 * all, and a second factor, which of two factors is the same moment unless it is given. `connection` is the team's connection
 * to the provider that vouched for them; `endsAt` when the session ends for good, if not as the settings say.
 */
export type Proven = {
  amr: string[];
  acr: string;
  authTime?: Date;
  secondFactorAt?: Date | undefined;
  connection?: string;
  endsAt?: string;
};

type Person = Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role'>;

type DeviceHistory = queries.DeviceSeen | undefined;

/** Whether any session of a person was this browser or program, and whether there are any at all. */
export function deviceSeen(scope: Scope, account: string, device: Device): Promise<DeviceHistory> {
  return scope.db.first(queries.deviceSeen, { team: scope.team, account, userAgent: userAgentOf(device) });
}

/** As sessions keep it. */
export const userAgentOf = (device: Device) => device.userAgent?.slice(0, maxUserAgent) ?? null;

/** What a mail says of a device. It is what the device says of itself: without versions, and without what would be a link. */
const deviceText = (userAgent: string) => withoutLinks(userAgent.replaceAll(/\/\d[\d.]*/g, '')).slice(0, 120);

/** Mails the person when a browser or program signs in that none of their sessions knows; the very first is no news. */
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

/** What a request that signs in with a password brings along, and the person whose it was. */
export type RightPassword = { team: string; account: string; epoch: number; device: Device; keys: Buffer[]; renewed: Buffer };

const password = { amr: ['pwd'], acr: 'aal1' };

/**
 * Opens a session after a right password by one statement in one exchange, where nothing about the sign-in is special:
 * nothing then, and {@link openSession} is for it, in a transaction that looks at what is. The hash leaves a processor's
 * caches empty, so that each exchange and each waking of a server process costs several times what it does elsewhere.
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

/** What an account that is made in this very transaction has. */
export const firstEpoch = 1;

/** Whose session is to be opened, and what was known of them when what they have shown was looked at. */
export type SessionSubject = {
  id: string;
  epoch: number;
  /** What is answered where they are no longer who they were: their credentials were changed meanwhile. */
  changed: () => Error;
};

/**
 * The one way to a session, inside the transaction of the person's team. It alone decides: only for who is active in an active
 * team, by a provider where the team asks for that, and as long as nothing has ended what was shown. Errors: 403
 * `account_disabled`, `sso_required`, and what `changed` says.
 */
export async function openSession(
  accounts: Accounts,
  scope: Scope,
  subject: SessionSubject,
  device: Device,
  { amr, acr, authTime = scope.now, connection, endsAt, ...proven }: Proven,
): Promise<SignedIn> {
  const session = randomUUIDv7();
  const secondFactorAt = 'secondFactorAt' in proven ? proven.secondFactorAt : acr === 'aal2' ? authTime : undefined;
  const person = await scope.db.first(credentials.openSession, {
    team: scope.team,
    session,
    account: subject.id,
    epoch: subject.epoch,
    byProvider: connection !== undefined,
    connection: connection ?? null,
    amr,
    acr,
    authTime,
    secondFactorAt: secondFactorAt ?? null,
    at: scope.now,
    lives: endsAt ?? null,
    lasts: accounts.settings.lifetimes.session,
    ip: device.ip ?? null,
    userAgent: userAgentOf(device),
  });
  if (!person) throw (await refusalNow(scope, subject, connection !== undefined)) ?? subject.changed();
  await recordAudit(scope, loginSucceeded, session, { amr });
  return signedIn(accounts, scope.team, session, person, { amr, acr, authTime });
}

export const disabled = () => accountProblems.account_disabled('The account is disabled. Ask an administrator of your team.');

/** What is answered where a condition does not hold: all of them, in the order in which they are told. */
const refusals: Record<keyof SignInConditions, (holder: Pick<SessionSubject, 'changed'>) => Error> = {
  active: disabled,
  unchanged: ({ changed }) => changed(),
  asTheTeamAsks: () => ssoRequired(),
};

/** Why a person may not sign in; nothing where they may. */
export function refusalOf(conditions: SignInConditions | undefined, subject: Pick<SessionSubject, 'changed'>): Error | undefined {
  if (!conditions) return subject.changed();
  const failed = (Object.keys(refusals) as (keyof SignInConditions)[]).find((condition) => !conditions[condition]);
  return failed && refusals[failed](subject);
}

async function refusalNow(scope: Scope, subject: SessionSubject, byProvider: boolean): Promise<Error | undefined> {
  const { id, epoch } = subject;
  return refusalOf(await scope.db.first(credentials.signInConditions, { team: scope.team, account: id, epoch, byProvider }), subject);
}

const ssoRequired = () =>
  accountProblems.sso_required('Sign in through your organisation: GET /api/v1/security/auth/sso/start?email=<your address>.');

/**
 * Refuses whoever may not sign in by themselves, without a provider, before more is asked of them. Errors: 403
 * `account_disabled`, `sso_required`, and what `changed` says.
 */
export async function refuseEarly(scope: Scope, subject: SessionSubject): Promise<void> {
  const refusal = await refusalNow(scope, subject, false);
  if (refusal) throw refusal;
}

/** The tokens of a new session. */
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
    refreshToken: writeRefreshToken(accounts.keys.refresh, { holder: team, session: sessionId, counter: 0 }),
    user: { id: person.id, email: person.email, firstName: person.first_name, lastName: person.last_name, teamId: team },
  };
}
