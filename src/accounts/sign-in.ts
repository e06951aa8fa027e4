import { randomUUIDv7 } from 'node:crypto';
import type { Reader } from '../platform/database/database.ts';
import { entryOf, recordAct } from '../platform/journal/record.ts';
import type { PublicScope, Scope } from '../platform/scope.ts';
import { queueMail } from '../platform/mail/queue.ts';
import { loginSucceeded, newDevice } from './acts.ts';
import type { Accounts } from './deps.ts';
import { accountMail } from './mails.ts';
import { accountProblems } from './problems.ts';
import * as queries from './queries.ts';
import { writeRefreshToken } from '../platform/crypto/refresh-tokens.ts';
import { isRole } from './roles.ts';

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
 * to the provider that vouched for them.
 */
export type Proven = { amr: string[]; acr: string; authTime?: Date; secondFactorAt?: Date | undefined; connection?: string };

type Person = { id: string; email: string; first_name: string; last_name: string; role: string };

type Seen = queries.DeviceSeen | undefined;

/** Whether any session of a person was this browser or program, and whether there are any at all. */
export function deviceSeen(scope: Scope, account: string, device: Device): Promise<Seen> {
  return scope.db.first(queries.deviceSeen, { team: scope.team, account, userAgent: userAgentOf(device) });
}

/** As sessions keep it. */
export const userAgentOf = (device: Device) => device.userAgent?.slice(0, maxUserAgent) ?? null;

/** Mails the person when a browser or program signs in that none of their sessions knows; the very first is no news. */
export async function noticeNewDevice(scope: Scope, person: Person & { locale: string }, device: Device, seen: Seen): Promise<void> {
  if (!seen?.others || seen.known) return;
  const userAgent = userAgentOf(device);
  await Promise.all([
    recordAct(scope, newDevice, person.id),
    queueMail(scope.db, {
      to: person.email,
      team: scope.team,
      ...accountMail(person.locale, 'newDevice', person.first_name, userAgent?.slice(0, 120) ?? '–', scope.now.toISOString()),
    }),
  ]);
}

/**
 * Refuses a sign-in here where the team has its members sign in through a provider. Errors: 403 `sso_required`.
 */
export async function refuseWhereProvider(scope: Scope, account: string): Promise<void> {
  if (!(await scope.db.first(queries.requiresProvider, { team: scope.team, account }))?.required) return;
  throw accountProblems.sso_required('Sign in through your organisation: GET /api/v1/security/auth/sso/start?email=<your address>.');
}

/** What a request that signs in with a password brings along, and the person whose it was. */
export type RightPassword = { team: string; account: string; device: Device; keys: Buffer[]; renewed: Buffer };

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
  { team, account, device, keys, renewed }: RightPassword,
): Promise<SignedIn | undefined> {
  const session = randomUUIDv7();
  const context = { team, actor: { type: 'user', id: account }, now, requestId, ...(ip === undefined ? {} : { ip }) } as const;
  const person = await db.first(queries.signInPlainly, {
    ...entryOf(context, loginSucceeded, session, { amr: password.amr }),
    ...password,
    account,
    session,
    authTime: now,
    ip: device.ip ?? null,
    userAgent: userAgentOf(device),
    keys,
    renewed,
  });
  return person && signedIn(accounts, team, session, person, { ...password, authTime: now });
}

/** Opens a session for a person whose identity was just proven, inside their team's transaction. */
export async function openSession(
  accounts: Accounts,
  scope: Scope,
  person: Person,
  device: Device,
  { amr, acr, authTime = scope.now, connection, ...proven }: Proven,
): Promise<SignedIn> {
  const sessionId = randomUUIDv7();
  const secondFactorAt = 'secondFactorAt' in proven ? proven.secondFactorAt : acr === 'aal2' ? authTime : undefined;
  scope.db.send(queries.insertSession, {
    team: scope.team,
    id: sessionId,
    account: person.id,
    connection: connection ?? null,
    amr,
    acr,
    authTime,
    secondFactorAt: secondFactorAt ?? null,
    at: scope.now,
    ip: device.ip ?? null,
    userAgent: userAgentOf(device),
  });
  await recordAct(scope, loginSucceeded, sessionId, { amr });
  return signedIn(accounts, scope.team, sessionId, person, { amr, acr, authTime });
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
  if (!isRole(role)) throw new Error(`the role ${role} is not known`);
  return {
    accessToken: await accounts.tokens.issue({ accountId: person.id, team, role, sessionId, ...proven }),
    refreshToken: writeRefreshToken(accounts.keys.refresh, { holder: team, session: sessionId, counter: 0 }),
    user: { id: person.id, email: person.email, firstName: person.first_name, lastName: person.last_name, teamId: team },
  };
}
