import {
  checkCode,
  type CheckedCode,
  type CodeOwner,
  completeChallenge,
  type FactorOwner,
  invalidChallenge,
  maxChallengeTries as maxTries,
  wrongCodeAtSignIn,
} from '#credentials';
import { newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { SealedColumn } from '../../../platform/database/reencrypt.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { enterTeam, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import { backupCodeUsed, challengeFailed, challengeIssued } from '../events.ts';
import { type Accounts, factorPurpose } from '../context.ts';
import { accountMail } from '../mails.ts';
import { notifyGuessing } from '../notices.ts';
import { asPerson } from '../membership/teams-of-person.ts';
import * as queries from '../queries.ts';
import { type Device, deviceSeen, noticeNewDevice, openSession, type Proven, type SignedIn, teamClosed } from '../sign-in/open-session.ts';
import * as factors from './queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

type Who = { team: string; account: string };

/** The second part of a sign-in. `teamId`: the team to open, by default that of the challenge. */
export type SecondPart = { challengeId: string; teamId?: string | undefined };

type CheckedFactor = { amr: 'otp' | 'rc' | 'hwk' | 'swk'; take(scope: Scope): Promise<boolean> };

/** The response to a correct password of a user with a second factor. It has no token, no cookie and no data of the user. */
export type Challenge = { twoFactorRequired: true; challengeId: string; expiresIn: number; methods: string[] };

const factorPlace = (account: string) => `two_factor ${account}`;
const ofPerson = { column: 'secret', key: { person_id: 'uuid' }, purpose: factorPurpose } as const;

/** The encrypted columns with secrets of second factors. */
export const sealedFactors: readonly SealedColumn[] = ['two_factor', 'two_factor_setup'].map((table) => ({
  ...ofPerson,
  table,
  boundTo: ({ person_id: person = '' }) => factorPlace(person),
}));

export const sealSecret = (accounts: Accounts, account: string, secret: Buffer) => accounts.keys.factors.seal(secret, factorPlace(account));
export const openSecret = (accounts: Accounts, account: string, sealed: Buffer) => accounts.keys.factors.open(sealed, factorPlace(account));

/**
 * Creates a challenge, which replaces an older one of the user. `methods` are the user’s factors.
 *
 * @param begun The first authentication. The session is opened with it and the second factor.
 */
export async function issueChallenge(
  accounts: Accounts,
  scope: Scope,
  { id, epoch }: { id: string; epoch: number },
  begun: Pick<Proven, 'amr' | 'connection' | 'idpSession' | 'endsAt'>,
): Promise<Challenge> {
  const challengeId = newToken();
  const { challenge: seconds } = accounts.settings.lifetimes;
  const who = { team: scope.team, account: id };
  const { amr, connection = null, idpSession = null, endsAt = null } = begun;
  const asBegun = { amr, connection, idpSession, endsAt };
  const { has } = await pipelined({
    has: () => scope.db.first(factors.methodsOf, who),
    putChallenge: () => scope.db.all(factors.putChallenge, { ...who, epoch, hash: tokenHash(challengeId), ...asBegun, seconds }),
    challengeIssued: () => recordAudit(scope, challengeIssued, id),
  });
  return { twoFactorRequired: true, challengeId, expiresIn: seconds, methods: has?.methods ?? [] };
}

/** Returns a user as the owner of counted attempts at a second factor. */
export const factorOwner = (database: Database, account: string): FactorOwner => ({
  id: account,
  spending: (work) => database.withoutTeam(work),
  stopped:
    'You entered 100 wrong codes in a row. Use a passkey, or a backup code instead of the app, or ask staff of the service to unlock the account.',
});

/** Checks a code of the authenticator app or a backup code, and counts an attempt. Notifies the user about guesses. */
export function checkPersonsCode(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  who: Who,
  given: string,
  now: Date,
): Promise<CheckedCode | undefined> {
  const reader = database.reader('', who.account);
  const owner: CodeOwner = {
    ...factorOwner(database, who.account),
    store: {
      async factor() {
        const kept = await reader.first(factors.tables.factorOf, who);
        return kept && { secret: openSecret(accounts, who.account, kept.secret), lastStep: kept.last_step };
      },
      backupHash: async (slot) => (await reader.first(factors.tables.unusedBackupCode, { ...who, slot }))?.hash,
    },
    take: async (scope, match) =>
      match.amr === 'otp'
        ? (await scope.db.first(factors.tables.takeStep, { ...who, step: match.step })) !== undefined
        : takeBackupCode(scope, who, match),
    notifyGuessing: (what) =>
      inPublic((outer) => notifyGuessing(accounts, enterTeam(outer, who.team, { type: 'system' }), who.account, what)),
  };
  return checkCode(accounts, owner, given, now);
}

/** Marks a backup code as used and mails the user the number of remaining codes. */
async function takeBackupCode(scope: Scope, who: Who, { slot, hash }: { slot: number; hash: string }): Promise<boolean> {
  if (!(await scope.db.first(factors.tables.takeBackupCode, { ...who, slot, hash, at: scope.now }))) return false;
  const { person, rest } = await pipelined({
    person: () => scope.db.first(queries.accountById, { team: scope.team, id: who.account }),
    rest: () => scope.db.first(factors.backupCodesLeft, who),
    backupCodeUsed: () => recordAudit(scope, backupCodeUsed, who.account),
  });
  if (person) {
    const mail = accountMail(person.locale, 'backupCodeUsed', person.first_name, rest?.left ?? 0);
    await queueMail(scope.db, { to: person.email, team: scope.team, ...mail });
  }
  return true;
}

/** Completes a sign-in with a code. A code of the app works for one sign-in. Throws 401 `invalid_challenge`, `invalid_code` or 429. */
export function verifyTotp(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  input: SecondPart & { code: string },
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const check = (who: Who) => checkPersonsCode(accounts, database, inPublic, who, input.code, now);
  return completeSignIn(accounts, database, inPublic, input, check, wrongCodeAtSignIn, device);
}

/** Completes a sign-in with the second factor that `check` verifies. `refused` creates the error for a wrong one. */
export function completeSignIn(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  { challengeId, teamId }: SecondPart,
  check: (who: Who) => Promise<CheckedFactor | undefined>,
  refused: () => Error,
  device: Device,
): Promise<SignedIn> {
  const wanted = teamId?.toLowerCase();
  const side: Parameters<typeof completeChallenge<Who, factors.TakenChallenge, SignedIn>>[0] = {
    async spend(hash) {
      const found = await database.withoutTeam((tx) => tx.first(factors.challengeByToken, { hash }));
      const who = found && { team: found.team_id, account: found.person_id };
      return (
        who && asPerson(database, who.account, async (tx) => (await tx.first(factors.tryChallenge, { ...who, hash, maxTries })) && who)
      );
    },
    failed: ({ team, account }) => inPublic((scope) => recordAudit(enterTeam(scope, team, { type: 'system' }), challengeFailed, account)),
    inTransaction: ({ team, account }, work) => inPublic((outer) => work(enterTeam(outer, wanted ?? team, { type: 'user', id: account }))),
    take: (scope, who, hash) => scope.db.first(factors.takeChallenge, { ...who, hash }),
    async open(scope, { team, account: id }, taken, amr) {
      const { person, seen } = await pipelined({
        person: () => scope.db.first(factors.activeMember, { team: scope.team, id }),
        seen: () => deviceSeen(scope, id, device),
      });
      if (!person) throw wanted === undefined ? invalidChallenge() : teamClosed();
      await noticeNewDevice(scope, person, device, seen);
      return openSession(accounts, scope, { id, epoch: taken.epoch, changed: invalidChallenge }, device, {
        amr: [...taken.amr, amr],
        acr: 'aal2',
        ownProofAt: scope.now,
        // A provider vouches for its own team only.
        ...(taken.connection_id === null || scope.team !== team ? {} : { connection: taken.connection_id }),
        idpSession: taken.idp_session ?? undefined,
        endsAt: taken.ends_at ?? undefined,
      });
    },
  };
  return completeChallenge(side, challengeId, check, refused);
}
