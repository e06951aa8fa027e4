import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { OperationText } from '../../../platform/http/openapi/texts.ts';

const signedIn = { accessToken: desk.accessToken, user: { ...desk.olivia, teamId: desk.team.id } };
export const backupCodes = ['7KQ4-XN2M-9PZT', 'R3VB-6HJD-WY8C'];

/** What somebody who is signed in may be refused for when they prove again who they are. */
const proofs = ['invalid_code', '400 invalid_passkey', 'invalid_current_password', 'second_factor_locked'];

/** The authenticator app, its backup codes, and what they are asked for. */
export const secondFactorOperations: Record<string, OperationText> = {
  verifyTotp: {
    text: 'Completes a sign-in with a code of the authenticator app, or a backup code, and answers like `login`. A challenge has five tries and one success; a code of the app is taken once. Ten wrong codes of a person in a row stop theirs for 15 minutes, with a mail; after a hundred the authenticator’s codes are taken no more.',
    records: ['login.succeeded'],
    problems: ['account_disabled', 'sso_required', '401 invalid_code', 'second_factor_locked', 'invalid_challenge'],
    body: { challengeId: desk.challenge, code: '428913' },
    answer: signedIn,
  },
  reauthenticate: {
    text: 'Proves again who one is, by the password, a code of the second factor or a passkey, for what asks for it with 401 `reauthentication_required` (RFC 9470). This session is raised for 15 minutes, and the answer carries an access token that says so. Where the person has a second factor, the password alone opens nothing of what is sensitive.',
    records: ['session.reauthenticated'],
    problems: proofs,
    body: { code: '428913' },
    answer: { accessToken: desk.accessToken },
  },
  beginTwoFactorSetup: {
    text: 'Begins to set up an authenticator app: gives its secret as an address for a QR code, and ten backup codes, shown in this answer alone. Nothing is asked for before `confirmTwoFactorSetup`. Begun again, it is another set-up, and the one before is void. It takes a sign-in of the last 15 minutes.',
    records: ['twofactor.setup_started'],
    problems: ['reauthentication_required', 'two_factor_already_enabled'],
    answer: {
      setupId: '019d2f4e-6a00-7c2b-9a54-000000000025',
      totpUri: 'otpauth://totp/Chancery:olivia.berg@northwind.example?secret=JBSWY3DPEHPK3PXP&issuer=Chancery',
      backupCodes,
    },
  },
  confirmTwoFactorSetup: {
    text: 'Turns two-factor authentication on with the first code of the app. Every other session ends, and the person is told by mail. From then on the password alone signs in no more.',
    records: ['twofactor.enabled'],
    problems: ['two_factor_already_enabled', 'invalid_setup', 'invalid_code'],
    body: { setupId: '019d2f4e-6a00-7c2b-9a54-000000000025', code: '428913' },
    answer: { message: 'Two-factor authentication is on. Every other session ended.' },
  },
  regenerateBackupCodes: {
    text: 'Gives ten new backup codes, shown in this answer alone; the old ones are void from then on. It takes a sign-in of the last 15 minutes with the second factor. With an `Idempotency-Key` a repetition from the same session shows the same codes.',
    records: ['twofactor.codes_regenerated'],
    problems: ['reauthentication_required', 'two_factor_not_enabled'],
    answer: { backupCodes },
  },
  disableTwoFactor: {
    text: 'Takes the authenticator app away, with the proof of a recent sign-in with the second factor, or of one in the body. Where it was the last second factor, two-factor authentication is off, and the backup codes are void. The person is told by mail.',
    records: ['twofactor.disabled'],
    problems: ['reauthentication_required', 'two_factor_not_enabled', ...proofs],
    body: { code: '428913' },
    answer: { message: 'Two-factor authentication is off.' },
  },
};
