import { asPerson } from '../membership/teams-of-person.ts';
import { beginSetup, checkSetup, replaceCodes, secondFactorBudgets, type SetupSide, takeSetup } from '#credentials';
import type { BackupCodes } from '../../../platform/crypto/backup-codes.ts';
import type { Database } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { appRemoved, codesRegenerated, setupStarted, twoFactorDisabled, twoFactorEnabled } from '../events.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { forgetPerson } from '../membership/end-membership.ts';
import { accountProblems } from '../problems.ts';
import { endSignIns, lockPersonCredentials, keepSignIns } from '../sign-in/credentials.ts';
import { openSecret, sealSecret } from './sign-in.ts';
import { type Proof, raiseSession, requireOwnProof } from '../sign-in/reauthentication.ts';
import * as factors from './queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const alreadyOn = () =>
  accountProblems.two_factor_already_enabled('Two-factor authentication is on. Turn it off first to use another app.');
const off = () => accountProblems.two_factor_not_enabled('Two-factor authentication is off. Set it up with enable-init.');

/** The storage for the set-up of a user’s app. */
const sideOf = (accounts: Accounts, account: string): SetupSide<{ account: string }> => ({
  tables: factors.tables,
  who: { account },
  seal: (secret) => sealSecret(accounts, account, secret),
  open: (sealed) => openSecret(accounts, account, sealed),
  issuer: 'Chancery',
  begins: 'enable-init',
});

/** Returns a new secret and backup codes. The factor stays off until a code of the secret is confirmed. */
export async function startSetup(accounts: Accounts, scope: Scope, session: string, codes: BackupCodes) {
  const person = await requireOwnProof(scope, session);
  if (person.app_enabled) throw alreadyOn();
  const account = person.account_id;
  const { shown } = await pipelined({
    shown: () => beginSetup(sideOf(accounts, account), scope.db, person.email, codes),
    setupStarted: () => recordAudit(scope, setupStarted, account),
  });
  return shown;
}

/** Checks the first code of a set-up and returns its time step. Each attempt is counted before the check. */
export function checkFirstCode(
  accounts: Accounts,
  database: Database,
  account: string,
  input: { code: string; setupId: string },
  now: Date,
): Promise<number> {
  return checkSetup(sideOf(accounts, account), (work) => asPerson(database, account, work), input, now);
}

/**
 * Turns two-factor authentication on, sets this session to `aal2` and ends all others. `step` is the time step of the first code, which counts as
 * used.
 */
export async function confirmSetup(
  accounts: Accounts,
  scope: Scope,
  session: string,
  account: string,
  { setupId, step }: { setupId: string; step: number },
): Promise<void> {
  const who = { account };
  const setup = await takeSetup(sideOf(accounts, account), scope.db, setupId);
  const person = await scope.db.first(factors.assuranceOf, { team: scope.team, session });
  if (!person || person.app_enabled) throw alreadyOn();
  lockPersonCredentials(scope, account);
  scope.db.send(factors.enableTwoFactor, { ...who, secret: setup.secret, step, at: scope.now });
  await pipelined([
    () => replaceCodes({ tables: factors.tables, who }, scope.db, setup.backup_hashes),
    () => raiseSession(accounts, scope, session, person, 'otp'),
    () => endSignIns(accounts, scope, account, session),
    // The counters of the previous authenticator do not apply to the new one.
    () => accounts.throttle.clear(scope.db, secondFactorBudgets(accounts.throttle, account)),
    () => recordAudit(scope, twoFactorEnabled, account),
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'twoFactorOn', person.first_name) }),
  ]);
  keepSignIns(scope, account, session);
}

/**
 * Removes the authenticator app of a user who has just verified a second factor. Two-factor authentication is then off, unless passkeys remain.
 * Returns whether it is off.
 */
export async function disable(
  accounts: Accounts,
  scope: Scope,
  session: string,
  proof: Proof | undefined,
): Promise<'off' | 'passkeys left'> {
  const person = await requireOwnProof(scope, session, proof);
  const who = { account: person.account_id };
  lockPersonCredentials(scope, person.account_id);
  if (!(await scope.db.first(factors.dropApp, who))) throw off();
  const left = (await scope.db.first(factors.disableWithoutFactors, { ...who, at: scope.now })) ? 'off' : 'passkeys left';
  // Cached tokens contain the previous state of the account.
  if (left === 'off') {
    keepSignIns(scope, person.account_id, null);
    await forgetPerson(accounts, scope, person.account_id);
  }
  const mail = left === 'off' ? 'twoFactorOff' : 'appOff';
  await pipelined([
    () => recordAudit(scope, left === 'off' ? twoFactorDisabled : appRemoved, person.account_id),
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, mail, person.first_name) }),
  ]);
  return left;
}

/** Replaces the ten backup codes. */
export async function regenerateCodes(scope: Scope, session: string, { codes, hashes }: BackupCodes): Promise<{ backupCodes: string[] }> {
  const person = await requireOwnProof(scope, session);
  if (!person.two_factor_enabled) throw off();
  const who = { account: person.account_id };
  await pipelined([
    () => replaceCodes({ tables: factors.tables, who }, scope.db, hashes),
    () => recordAudit(scope, codesRegenerated, person.account_id),
  ]);
  return { backupCodes: codes };
}
