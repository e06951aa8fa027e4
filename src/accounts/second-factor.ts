import { matchSecondFactor } from '../platform/crypto/second-factor.ts';
import { readTotpCode } from '../platform/crypto/totp.ts';
import { newToken, tokenHash } from '../platform/crypto/tokens.ts';
import type { Database } from '../platform/database/database.ts';
import type { SealedColumn } from '../platform/database/reseal.ts';
import { recordAct } from '../platform/journal/record.ts';
import { queueMail } from '../platform/mail/queue.ts';
import { enterTeam, type PublicScope, type Scope } from '../platform/scope.ts';
import { backupCodeUsed, challengeFailed, challengeIssued } from './acts.ts';
import { type Accounts, factorPurpose } from './deps.ts';
import { accountMail } from './mails.ts';
import { type Guessed, tellOfGuessing } from './notices.ts';
import { accountProblems } from './problems.ts';
import * as queries from './queries.ts';
import { type Device, deviceSeen, noticeNewDevice, openSession, type Proven, type SignedIn } from './sign-in.ts';
import type { Throttle } from './throttle.ts';
import * as factors from './two-factor-queries.ts';

const maxTries = 5;

type Who = { team: string; account: string };
type InPublic = <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>;

/** A code that matched. Whoever uses it takes it in their transaction: false when another request has taken it. */
export type CheckedCode = { amr: 'otp' | 'rc'; take(scope: Scope): Promise<boolean> };
type CheckedFactor = { amr: 'otp' | 'rc' | 'hwk' | 'swk'; take(scope: Scope): Promise<boolean> };

/** The answer to a right password of a person with a second factor: no token, no cookie, and nothing about the person. */
export type Challenge = { twoFactorRequired: true; challengeId: string; expiresIn: number; methods: string[] };

const factorPlace = (account: string) => `two_factor ${account}`;
const ofAccount = { column: 'secret', key: { team_id: 'uuid', account_id: 'uuid' }, purpose: factorPurpose } as const;

/** Where the secrets of second factors stand, sealed. */
export const sealedFactors: readonly SealedColumn[] = ['two_factor', 'two_factor_setup'].map((table) => ({
  ...ofAccount,
  table,
  boundTo: ({ account_id: account = '' }) => factorPlace(account),
}));

export const sealSecret = (accounts: Accounts, account: string, secret: Buffer) => accounts.keys.factors.seal(secret, factorPlace(account));
export const openSecret = (accounts: Accounts, account: string, sealed: Buffer) => accounts.keys.factors.open(sealed, factorPlace(account));

/**
 * Opens a challenge; an older one of the same person ends. `methods` are those the person has.
 *
 * @param begun how the sign-in was begun; the session is opened with it and the second factor
 */
export async function issueChallenge(
  accounts: Accounts,
  scope: Scope,
  { id, epoch }: { id: string; epoch: number },
  begun: Pick<Proven, 'amr' | 'connection'>,
): Promise<Challenge> {
  const challengeId = newToken();
  const { challenge: seconds } = accounts.settings.lifetimes;
  const who = { team: scope.team, account: id };
  const asBegun = { amr: begun.amr, connection: begun.connection ?? null };
  const [has] = await Promise.all([
    scope.db.first(factors.methodsOf, who),
    scope.db.all(factors.putChallenge, { ...who, epoch, hash: tokenHash(challengeId), ...asBegun, seconds }),
    recordAct(scope, challengeIssued, id),
  ]);
  return { twoFactorRequired: true, challengeId, expiresIn: seconds, methods: has?.methods ?? [] };
}

type Take = CheckedFactor['take'];

/** A try that was spent; `giveBack` gives the budgets back once the factor is taken. */
type Spent = { inARow: number; giveBack: (take: Take) => Take };

/**
 * Spends one of a person's tries before anything is looked at, so that no number of requests at once gets more than the
 * budget: 10 in 15 minutes, and of an authenticator whose codes can be guessed 100 in a row. Errors: 403
 * `second_factor_stopped`, 429.
 */
export async function spendTry(
  accounts: Accounts,
  database: Database,
  account: string,
  authenticator?: 'app' | 'backup codes',
): Promise<Spent> {
  const { throttle } = accounts;
  const row = authenticator && throttle.inARow(account, authenticator);
  const inARow = await database.withoutTeam(async (tx) => {
    if (row && (await throttle.blocked(tx, [row]))) throw stopped();
    const spent = await throttle.spend(tx, [...throttle.secondFactor(account), ...(row ? [row] : [])]);
    return row ? (spent.at(-1) ?? 0) : 0;
  });
  const giveBack = (take: Take) => async (scope: Scope) => {
    if (!(await take(scope))) return false;
    await throttle.clear(scope.db, secondFactorBudgets(throttle, account));
    return true;
  };
  return { inARow, giveBack };
}

/** All that wrong codes of a person are counted by. */
export const secondFactorBudgets = (throttle: Throttle, account: string) => [
  ...throttle.secondFactor(account),
  throttle.inARow(account, 'app'),
  throttle.inARow(account, 'backup codes'),
];

const stopped = () =>
  accountProblems.second_factor_stopped(
    'A hundred codes in a row were wrong. Use a passkey, or a backup code in the place of the app, or ask staff of the service to unlock the account.',
  );

/** After how many wrong codes in a row the owner is told, and what. */
export const toldAfter: Readonly<Record<number, Guessed>> = { 10: 'codes', 100: 'codes stopped' };

/** Checks a code of the authenticator app or a backup code, for one of the person's tries. Who is being guessed at is told. */
export async function checkCode(
  accounts: Accounts,
  database: Database,
  inPublic: InPublic,
  who: Who,
  given: string,
  now: Date,
): Promise<CheckedCode | undefined> {
  const authenticator = readTotpCode(given) === undefined ? 'backup codes' : 'app';
  const { inARow, giveBack } = await spendTry(accounts, database, who.account, authenticator);
  const checked = await matchCode(accounts, database, who, given, now);
  if (checked) return { amr: checked.amr, take: giveBack((scope) => checked.take(scope)) };
  const told = toldAfter[inARow];
  if (told) await inPublic((outer) => tellOfGuessing(accounts, enterTeam(outer, who.team, { type: 'system' }), who.account, told));
  return undefined;
}

async function matchCode(accounts: Accounts, database: Database, who: Who, given: string, now: Date): Promise<CheckedCode | undefined> {
  const reader = database.reader(who.team);
  const store = {
    async factor() {
      const kept = await reader.first(factors.factorOf, who);
      return kept && { secret: openSecret(accounts, who.account, kept.secret), lastStep: kept.last_step };
    },
    backupHash: async (slot: number) => (await reader.first(factors.unusedBackupCode, { ...who, slot }))?.hash,
  };
  const match = await matchSecondFactor(accounts.hasher, store, given, now);
  if (!match) return undefined;
  return {
    amr: match.amr,
    take: (scope) => (match.amr === 'otp' ? takeStep(scope, who, match.step) : takeBackupCode(scope, who, match)),
  };
}

async function takeStep(scope: Scope, who: Who, step: number): Promise<boolean> {
  return (await scope.db.first(factors.takeStep, { ...who, step })) !== undefined;
}

/** Takes a backup code and tells the person how many are left. */
async function takeBackupCode(scope: Scope, who: Who, { slot, hash }: { slot: number; hash: string }): Promise<boolean> {
  if (!(await scope.db.first(factors.takeBackupCode, { ...who, slot, hash, at: scope.now }))) return false;
  const [person, rest] = await Promise.all([
    scope.db.first(queries.accountById, { team: who.team, id: who.account }),
    scope.db.first(factors.backupCodesLeft, who),
    recordAct(scope, backupCodeUsed, who.account),
  ]);
  if (person) {
    const mail = accountMail(person.locale, 'backupCodeUsed', person.first_name, rest?.left ?? 0);
    await queueMail(scope.db, { to: person.email, team: who.team, ...mail });
  }
  return true;
}

export const invalidChallenge = () =>
  accountProblems.invalid_challenge('The challenge is unknown, used or too old. Sign in with the password again.');
const wrongCode = () =>
  accountProblems.invalid_code('The code is wrong or was used. Enter the newest code of the app, or a backup code.', { status: 401 });

/** Completes a sign-in with a code; one of the app is good for one sign-in. Errors: 401 `invalid_challenge`, `invalid_code`, 429. */
export function verifyTotp(
  accounts: Accounts,
  database: Database,
  inPublic: InPublic,
  input: { challengeId: string; code: string },
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const check = (who: Who) => checkCode(accounts, database, inPublic, who, input.code, now);
  return completeChallenge(accounts, database, inPublic, input.challengeId, check, wrongCode, device);
}

/**
 * Completes a sign-in with the second factor that `check` looks at; `refused` is what a wrong one is answered with. A
 * challenge is good for 5 minutes, 5 tries and one success.
 */
export async function completeChallenge(
  accounts: Accounts,
  database: Database,
  inPublic: InPublic,
  challengeId: string,
  check: (who: Who) => Promise<CheckedFactor | undefined>,
  refused: () => Error,
  device: Device,
): Promise<SignedIn> {
  const hash = tokenHash(challengeId);
  const found = await database.withoutTeam((tx) => tx.first(factors.challengeByToken, { hash }));
  if (!found) throw invalidChallenge();
  const who = { team: found.team_id, account: found.account_id };
  const tried = await database.inTeam(who.team, (tx) => tx.first(factors.tryChallenge, { ...who, hash, maxTries }));
  if (!tried) throw invalidChallenge();
  const checked = await check(who);
  if (!checked) {
    await inPublic((scope) => recordAct(enterTeam(scope, who.team, { type: 'system' }), challengeFailed, who.account));
    throw refused();
  }
  return inPublic(async (outer) => {
    const scope = enterTeam(outer, who.team, { type: 'user', id: who.account });
    const taken = await scope.db.first(factors.takeChallenge, { ...who, hash });
    if (!taken) throw invalidChallenge();
    // Refused now, the challenge stays: what is thrown undoes its taking, though not the count of tries.
    if (!(await checked.take(scope))) throw refused();
    const [person, seen] = await Promise.all([
      scope.db.first(factors.activeMember, { team: who.team, id: who.account }),
      deviceSeen(scope, who.account, device),
    ]);
    if (!person) throw invalidChallenge();
    await noticeNewDevice(scope, person, device, seen);
    const holder = { id: person.id, epoch: taken.epoch, changed: invalidChallenge };
    return openSession(accounts, scope, holder, device, {
      amr: [...taken.amr, checked.amr],
      acr: 'aal2',
      ...(taken.connection_id === null ? {} : { connection: taken.connection_id }),
    });
  });
}
