import { defineProblems } from '../../platform/problems.ts';

/** Errors of credentials, for users and for staff. */
export const credentialProblems = defineProblems({
  invalid_refresh_token: {
    status: 401,
    title: 'Invalid refresh token',
    help: 'The token is unknown, expired or revoked. Sign in again.',
  },
  refresh_token_superseded: {
    status: 401,
    title: 'A newer refresh token is in use',
    help: 'Another request of this session has already refreshed the token. Use the newest token; the session continues.',
  },
  refresh_token_reused: {
    status: 401,
    title: 'Refresh token reused',
    help: 'The token was replaced some time ago, so it may be stolen. The session was ended: sign in again.',
  },
  invalid_setup: {
    status: 400,
    title: 'Setup expired',
    help: 'The setup is unknown, was replaced by a newer one, is older than 10 minutes, or had too many wrong codes. Start again with `enable-init`.',
  },
  invalid_code: {
    status: 400,
    title: 'Invalid code',
    help: 'The code is wrong, expired or used. Enter the newest code of the authenticator app, or an unused backup code.',
  },
  second_factor_locked: {
    status: 403,
    title: 'Second factor locked',
    help: 'You entered 100 wrong codes of the authenticator app in a row, or 100 wrong backup codes. Use a passkey or the other factor; a correct one resets the count. Otherwise ask staff to unlock the account.',
  },
  invalid_challenge: {
    status: 401,
    title: 'Sign-in expired',
    help: 'The challenge is unknown, used or expired, or it had too many wrong codes. Sign in with the password again.',
  },
  invalid_current_password: {
    status: 403,
    title: 'The current password is wrong',
    help: 'Enter the password you sign in with now.',
  },
});
