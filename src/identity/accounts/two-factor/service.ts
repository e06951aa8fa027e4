import { beginSetup, checkSetup, replaceCodes, secondFactorBudgets, type SetupSide, takeSetup } from '#credentials';
import type { BackupCodes } from '../../../platform/crypto/backup-codes.ts';
import type { Database } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { appRemoved, codesRegenerated, setupStarted, twoFactorDisabled, twoFactorEnabled } from '../events.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { forgetPerson } from '../membership/team-transfer.ts';
import { accountProblems } from '../problems.ts';
import { endSessions, holdPerson, keepSessions } from '../sign-in/credentials.ts';
import { openSecret, sealSecret } from './sign-in.ts';
import { type Proof, raiseSession, requireRecentSignIn } from '../sign-in/reauthentication.ts';
import * as factors from './queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const alreadyOn = () =>
  accountProblems.two_factor_already_enabled('Two-factor authentication is on. Turn it off first to use another app.');
const off = () => accountProblems.two_factor_not_enabled('Two-factor authentication is off. Set it up with enable-init.');

/** What the set-up of a person's app is kept in. */
const sideOf = (accounts: Accounts, team: string, account: string): SetupSide<{ team: string; account: string }> => ({
  tables: factors.tables,
  who: { team, account },
  seal: (secret) => sealSecret(accounts, account, secret),
  open: (sealed) => openSecret(accounts, account, sealed),
  issuer: 'Chancery',
  begins: 'enable-init',
});

/** Shows a new secret and backup codes. Nothing is on until a code of the secret comes back. */
export async function startSetup(accounts: Accounts, scope: Scope, session: string, codes: BackupCodes) {
  const person = await requireRecentSignIn(scope, session);
  if (person.app_enabled) throw alreadyOn();
  const account = person.account_id;
  const { shown } = await pipelined({
    shown: () => beginSetup(sideOf(accounts, scope.team, account), scope.db, person.email, codes),
    setupStarted: () => recordAudit(scope, setupStarted, account),
  });
  return shown;
}

/** Checks the first code of a set-up and returns its time step; each try is counted before the check. */
export function checkFirstCode(
  accounts: Accounts,
  database: Database,
  { team, account }: { team: string; account: string },
  input: { code: string; setupId: string },
  now: Date,
): Promise<number> {
  return checkSetup(sideOf(accounts, team, account), (work) => database.inTeam(team, work), input, now);
}

/** Turns two-factor on: this session is raised, every other ends. `step` is the time step of the first code, which counts as used. */
export async function confirmSetup(
  accounts: Accounts,
  scope: Scope,
  session: string,
  account: string,
  { setupId, step }: { setupId: string; step: number },
): Promise<void> {
  const who = { team: scope.team, account };
  const setup = await takeSetup(sideOf(accounts, scope.team, account), scope.db, setupId);
  const person = await scope.db.first(factors.assuranceOf, { team: scope.team, session });
  if (!person || person.app_enabled) throw alreadyOn();
  holdPerson(scope, account);
  scope.db.send(factors.enableTwoFactor, { ...who, secret: setup.secret, step, at: scope.now });
  await pipelined([
    () => replaceCodes({ tables: factors.tables, who }, scope.db, setup.backup_hashes),
    () => raiseSession(accounts, scope, session, person, 'otp'),
    () => endSessions(accounts, scope, account, session),
    // Another authenticator: what was tried on the one before says nothing of it.
    () => accounts.throttle.clear(scope.db, secondFactorBudgets(accounts.throttle, account)),
    () => recordAudit(scope, twoFactorEnabled, account),
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'twoFactorOn', person.first_name) }),
  ]);
  keepSessions(scope, account, session);
}

/**
 * Turns the authenticator app off, for someone who has just shown a second factor. Two-factor authentication is off with
 * it, unless passkeys are left: says which.
 */
export async function disable(
  accounts: Accounts,
  scope: Scope,
  session: string,
  proof: Proof | undefined,
): Promise<'off' | 'passkeys left'> {
  const person = await requireRecentSignIn(scope, session, proof);
  const who = { team: scope.team, account: person.account_id };
  holdPerson(scope, person.account_id);
  if (!(await scope.db.first(factors.dropApp, who))) throw off();
  const left = (await scope.db.first(factors.settleFactors, { ...who, at: scope.now })) ? 'off' : 'passkeys left';
  // Believed tokens carry what the account was like.
  if (left === 'off') {
    keepSessions(scope, person.account_id, null);
    await forgetPerson(accounts, scope, person.account_id);
  }
  const mail = left === 'off' ? 'twoFactorOff' : 'appOff';
  await pipelined([
    () => recordAudit(scope, left === 'off' ? twoFactorDisabled : appRemoved, person.account_id),
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, mail, person.first_name) }),
  ]);
  return left;
}

/** Ten new backup codes; the old ones end in the same moment. */
export async function regenerateCodes(scope: Scope, session: string, { codes, hashes }: BackupCodes): Promise<{ backupCodes: string[] }> {
  const person = await requireRecentSignIn(scope, session);
  if (!person.two_factor_enabled) throw off();
  const who = { team: scope.team, account: person.account_id };
  await pipelined([
    () => replaceCodes({ tables: factors.tables, who }, scope.db, hashes),
    () => recordAudit(scope, codesRegenerated, person.account_id),
  ]);
  return { backupCodes: codes };
}
