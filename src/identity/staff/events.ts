import { Type } from 'typebox';
import { defineAct } from '../../platform/journal/audit-actions.ts';

const proven = { amr: Type.Array(Type.String()) };

export const staffCreated = defineAct('staff.created', 'staff');
export const staffActivated = defineAct('staff.activated', 'staff');
export const staffDeactivated = defineAct('staff.deactivated', 'staff');
export const staffLoginSucceeded = defineAct('staff.login.succeeded', 'session', proven);
export const staffLoginFailed = defineAct('staff.login.failed', 'staff');
export const staffChallengeIssued = defineAct('staff.challenge.issued', 'staff');
export const staffChallengeFailed = defineAct('staff.challenge.failed', 'staff');
export const staffLoggedOut = defineAct('staff.logout', 'session');
export const staffTokenReused = defineAct('staff.token.reused', 'session');
export const staffReauthenticated = defineAct('staff.session.reauthenticated', 'session', proven);
export const staffPasswordSet = defineAct('staff.password.set', 'staff');
export const staffSetupStarted = defineAct('staff.totp.setup_started', 'staff');
export const staffTotpEnabled = defineAct('staff.totp.enabled', 'staff');
export const staffTotpDisabled = defineAct('staff.totp.disabled', 'staff');
export const staffCodesRegenerated = defineAct('staff.totp.codes_regenerated', 'staff');
export const staffBackupCodeUsed = defineAct('staff.totp.backup_used', 'staff');
