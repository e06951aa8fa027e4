import { randomUUIDv7 } from 'node:crypto';
import { accountProblems } from '#accounts';
import type { BackupCodes } from '../platform/crypto/backup-codes.ts';
import { matchTotp, newTotpSecret, readTotpCode, totpUri } from '../platform/crypto/totp.ts';
import { isUuid } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import * as acts from './acts.ts';
import { endStaffSessions, holdStaff } from './credentials.ts';
import { across, factorPlace, type Staff } from './deps.ts';
import { staffProblems } from './problems.ts';
import * as queries from './queries.ts';
import { raise, requireRecentStaff, type StaffProof } from './session.ts';

const setupMinutes = 10;
const maxTries = 5;

const invalidSetup = () => accountProblems.invalid_setup('The set-up is unknown, replaced or too old. Begin again with setup-init.');
const alreadyOn = () =>
  accountProblems.two_factor_already_enabled('The second factor is on. An operator resets it with `staff reset-totp`.');
const off = () => accountProblems.two_factor_not_enabled('The second factor is off. Set it up with setup-init.');

/** Shows a new secret and backup codes; nothing is on until a code of the secret comes back. */
export async function startStaffSetup(staff: Staff, scope: Scope, session: string, { codes, hashes }: BackupCodes) {
  const person = await requireRecentStaff(scope, session);
  if (person.totp_enabled) throw alreadyOn();
  const id = person.staff_id;
  const [secret, setupId] = [newTotpSecret(), randomUUIDv7()];
  await Promise.all([
    scope.db.all(queries.putSetup, {
      staff: id,
      id: setupId,
      secret: staff.factors.seal(secret, factorPlace(id)),
      hashes,
      minutes: setupMinutes,
    }),
    recordAct(scope, acts.staffSetupStarted, id),
  ]);
  return { backupCodes: codes, setupId, totpUri: totpUri('Chancery staff', person.email, secret) };
}

/** Checks the first code of a set-up; each try is spent before it is looked at. */
export async function checkStaffSetup(staff: Staff, id: string, input: { code: string; setupId: string }, now: Date): Promise<void> {
  const setup = isUuid(input.setupId)
    ? await across(staff, 'staff set-up', (tx) => tx.first(queries.trySetup, { staff: id, id: input.setupId, maxTries }))
    : undefined;
  if (!setup) throw invalidSetup();
  const code = readTotpCode(input.code);
  if (code === undefined || matchTotp(staff.factors.open(setup.secret, factorPlace(id)), code, now) === undefined)
    throw accountProblems.invalid_code('The code does not belong to the new secret. Enter the code that the app shows now.');
}

/** Turns the second factor on: this session is raised, every other ends. */
export async function confirmStaffSetup(scope: Scope, id: string, session: string, setupId: string): Promise<void> {
  holdStaff(scope, id);
  const setup = await scope.db.first(queries.takeSetup, { staff: id, id: setupId });
  const person = await scope.db.first(queries.liveSession, { session });
  if (!setup || !person) throw invalidSetup();
  if (!(await scope.db.first(queries.enableTotp, { staff: id, secret: setup.secret }))) throw alreadyOn();
  await Promise.all([
    scope.db.all(queries.dropBackupCodes, { staff: id }),
    scope.db.all(queries.insertBackupCodes, { staff: id, hashes: setup.backup_hashes }),
    raise(scope, session, person, 'otp'),
    endStaffSessions(scope, id, { except: session }),
    scope.db.all(queries.keepSessions, { staff: id, only: session }),
    recordAct(scope, acts.staffTotpEnabled, id),
  ]);
}

/** Ten new backup codes; the old ones end in the same moment. */
export async function regenerateStaffCodes(
  scope: Scope,
  session: string,
  { codes, hashes }: BackupCodes,
): Promise<{ backupCodes: string[] }> {
  const person = await requireRecentStaff(scope, session);
  if (!person.totp_enabled) throw off();
  await Promise.all([
    scope.db.all(queries.dropBackupCodes, { staff: person.staff_id }),
    scope.db.all(queries.insertBackupCodes, { staff: person.staff_id, hashes }),
    recordAct(scope, acts.staffCodesRegenerated, person.staff_id),
  ]);
  return { backupCodes: codes };
}

/** Turns the second factor off, unless staff must have one. */
export async function disableStaffTotp(staff: Staff, scope: Scope, session: string, proof: StaffProof | undefined): Promise<void> {
  if (staff.settings.requireTotp)
    throw staffProblems.totp_mandatory('Staff of this service sign in with a second factor; it cannot be turned off.');
  const person = await requireRecentStaff(scope, session, proof);
  holdStaff(scope, person.staff_id);
  if (!(await scope.db.first(queries.disableTotp, { staff: person.staff_id }))) throw off();
  // What was signed in goes on: it is the sign-ins under way that asked for a factor that is no more.
  scope.db.send(queries.keepSessions, { staff: person.staff_id, only: null });
  await recordAct(scope, acts.staffTotpDisabled, person.staff_id);
}
