import { accountProblems } from '#accounts';
import { beginSetup, checkSetup, replaceCodes, type SetupSide, takeSetup } from '#credentials';
import type { BackupCodes } from '../../platform/crypto/backup-codes.ts';
import { problems } from '../../platform/problems.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import * as acts from './events.ts';
import { endStaffSessions, lockStaffCredentials } from './credentials.ts';
import { across, factorPlace, type Staff } from './context.ts';
import { staffProblems } from './problems.ts';
import * as queries from './queries.ts';
import { raise, requireRecentStaff, type StaffProof } from './session.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const alreadyOn = () =>
  accountProblems.two_factor_already_enabled('The second factor is already on. Ask an operator to reset it with `staff reset-totp`.');
const off = () => accountProblems.two_factor_not_enabled('The second factor is off. Set it up with `totp/setup-init` first.');

/** The storage for the set-up of an app of a member of staff. */
const sideOf = (staff: Staff, id: string): SetupSide<{ staff: string }> => ({
  tables: queries.factors,
  who: { staff: id },
  seal: (secret) => staff.factors.seal(secret, factorPlace(id)),
  open: (sealed) => staff.factors.open(sealed, factorPlace(id)),
  issuer: 'Chancery staff',
  begins: 'setup-init',
});

/** Returns a new secret and backup codes. The factor stays off until a code of the secret is confirmed. */
export async function startStaffSetup(staff: Staff, scope: Scope, session: string, codes: BackupCodes) {
  const person = await requireRecentStaff(scope, session);
  if (person.totp_enabled) throw alreadyOn();
  const id = person.staff_id;
  const { shown } = await pipelined({
    shown: () => beginSetup(sideOf(staff, id), scope.db, person.email, codes),
    staffSetupStarted: () => recordAudit(scope, acts.staffSetupStarted, id),
  });
  return shown;
}

/** Checks the first code of a set-up and returns its time step. Each attempt is counted before the check. */
export function checkStaffSetup(staff: Staff, id: string, input: { code: string; setupId: string }, now: Date): Promise<number> {
  return checkSetup(sideOf(staff, id), (work) => across(staff, 'staff set-up', work), input, now);
}

/** Turns the second factor on, sets this session to `aal2` and ends all others. `step` is the time step of the first code, which counts as used. */
export async function confirmStaffSetup(
  staff: Staff,
  scope: Scope,
  id: string,
  session: string,
  { setupId, step }: { setupId: string; step: number },
): Promise<void> {
  lockStaffCredentials(scope, id);
  const setup = await takeSetup(sideOf(staff, id), scope.db, setupId);
  const person = await scope.db.first(queries.liveSession, { session });
  if (!person) throw problems.invalid_token('The session has ended. Sign in again.');
  if (!(await scope.db.first(queries.enableTotp, { staff: id, secret: setup.secret, step }))) throw alreadyOn();
  await pipelined([
    () => replaceCodes(sideOf(staff, id), scope.db, setup.backup_hashes),
    () => raise(scope, session, person, 'otp'),
    () => endStaffSessions(scope, id, { except: session }),
    () => scope.db.all(queries.keepSessions, { staff: id, only: session }),
    () => recordAudit(scope, acts.staffTotpEnabled, id),
  ]);
}

/** Replaces the ten backup codes. */
export async function regenerateStaffCodes(
  scope: Scope,
  session: string,
  { codes, hashes }: BackupCodes,
): Promise<{ backupCodes: string[] }> {
  const person = await requireRecentStaff(scope, session);
  if (!person.totp_enabled) throw off();
  await pipelined([
    () => replaceCodes({ tables: queries.factors, who: { staff: person.staff_id } }, scope.db, hashes),
    () => recordAudit(scope, acts.staffCodesRegenerated, person.staff_id),
  ]);
  return { backupCodes: codes };
}

/** Turns the second factor off. Throws 403 `totp_mandatory` if it is mandatory. */
export async function disableStaffTotp(staff: Staff, scope: Scope, session: string, proof: StaffProof | undefined): Promise<void> {
  if (staff.settings.requireTotp)
    throw staffProblems.totp_mandatory('Staff of this service must have a second factor. It cannot be turned off.');
  const person = await requireRecentStaff(scope, session, proof);
  lockStaffCredentials(scope, person.staff_id);
  if (!(await scope.db.first(queries.disableTotp, { staff: person.staff_id }))) throw off();
  // Existing sessions continue. Only pending sign-ins, which wait for the removed factor, become invalid.
  scope.db.send(queries.keepSessions, { staff: person.staff_id, only: null });
  await recordAudit(scope, acts.staffTotpDisabled, person.staff_id);
}
