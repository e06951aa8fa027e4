import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { OperationText } from '../../../platform/http/openapi/texts.ts';

const signedIn = { accessToken: desk.accessToken, user: { ...desk.olivia, teamId: desk.team.id } };
export const backupCodes = ['7KQ4-XN2M-9PZT', 'R3VB-6HJD-WY8C'];

/** Errors of a reauthentication. */
const proofs = ['invalid_code', '400 invalid_passkey', 'invalid_current_password', 'second_factor_locked'];

/** The operations of the authenticator app, its backup codes, and reauthentication. */
export const secondFactorOperations: Record<string, OperationText> = {
  verifyTotp: {
    text: 'Completes a sign-in with a code of the authenticator app or a backup code. The response is that of `login`. A challenge has five attempts and one success; a code of the app works once. `teamId` names the team to open. Ten wrong codes of a user in a row block codes for 15 minutes, with a mail. After 100, codes of the authenticator app are no longer accepted.',
    records: ['login.succeeded'],
    problems: ['account_disabled', 'sso_required', 'team_closed', '401 invalid_code', 'second_factor_locked', 'invalid_challenge'],
    body: { challengeId: desk.challenge, code: '428913' },
    answer: signedIn,
  },
  reauthenticate: {
    text: 'Confirms the identity of the caller with the password, a second-factor code or a passkey, after a 401 `reauthentication_required` (RFC 9470). It raises this session for 15 minutes, and the response has an access token that states it. If the user has a second factor, the password alone does not allow sensitive operations.',
    records: ['session.reauthenticated'],
    problems: proofs,
    body: { code: '428913' },
    answer: { accessToken: desk.accessToken },
  },
  beginTwoFactorSetup: {
    text: 'Starts the setup of an authenticator app. The response, and no other, shows its secret as a URI for a QR code and ten backup codes. It has no effect before `confirmTwoFactorSetup`. A new setup invalidates the previous one. It needs a sign-in of the last 15 minutes.',
    records: ['twofactor.setup_started'],
    problems: ['reauthentication_required', 'two_factor_already_enabled'],
    answer: {
      setupId: '019d2f4e-6a00-7c2b-9a54-000000000025',
      totpUri: 'otpauth://totp/Chancery:olivia.berg@northwind.example?secret=JBSWY3DPEHPK3PXP&issuer=Chancery',
      backupCodes,
    },
  },
  confirmTwoFactorSetup: {
    text: 'Turns on two-factor authentication with the first code of the app. All other sessions end, and the user gets a mail. From then on the password alone is not enough.',
    records: ['twofactor.enabled'],
    problems: ['two_factor_already_enabled', 'invalid_setup', 'invalid_code'],
    body: { setupId: '019d2f4e-6a00-7c2b-9a54-000000000025', code: '428913' },
    answer: { message: 'Two-factor authentication is on. Every other session ended.' },
  },
  regenerateBackupCodes: {
    text: 'Creates ten new backup codes, shown only in this response, and invalidates the old ones. It needs a sign-in of the last 15 minutes with the second factor. With an `Idempotency-Key` a repetition in the same session shows the same codes.',
    records: ['twofactor.codes_regenerated'],
    problems: ['reauthentication_required', 'two_factor_not_enabled'],
    answer: { backupCodes },
  },
  disableTwoFactor: {
    text: 'Removes the authenticator app. It needs a recent sign-in with the second factor, or a proof in the body. If it was the last second factor, two-factor authentication is off and the backup codes are invalid. The user gets a mail.',
    records: ['twofactor.disabled'],
    problems: ['reauthentication_required', 'two_factor_not_enabled', ...proofs],
    body: { code: '428913' },
    answer: { message: 'Two-factor authentication is off.' },
  },
};
