import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

const proven = { amr: Type.Array(Type.String()) };

export const staffCreated = defineAuditAction('staff.created', 'staff');
export const staffActivated = defineAuditAction('staff.activated', 'staff');
export const staffDeactivated = defineAuditAction('staff.deactivated', 'staff');
export const staffLoginSucceeded = defineAuditAction('staff.login.succeeded', 'session', proven);
export const staffLoginFailed = defineAuditAction('staff.login.failed', 'staff');
export const staffChallengeIssued = defineAuditAction('staff.challenge.issued', 'staff');
export const staffChallengeFailed = defineAuditAction('staff.challenge.failed', 'staff');
export const staffLoggedOut = defineAuditAction('staff.logout', 'session');
export const staffTokenReused = defineAuditAction('staff.token.reused', 'session');
export const staffReauthenticated = defineAuditAction('staff.session.reauthenticated', 'session', proven);
export const staffPasswordSet = defineAuditAction('staff.password.set', 'staff');
export const staffSetupStarted = defineAuditAction('staff.totp.setup_started', 'staff');
export const staffTotpEnabled = defineAuditAction('staff.totp.enabled', 'staff');
export const staffTotpDisabled = defineAuditAction('staff.totp.disabled', 'staff');
export const staffCodesRegenerated = defineAuditAction('staff.totp.codes_regenerated', 'staff');
export const staffBackupCodeUsed = defineAuditAction('staff.totp.backup_used', 'staff');
