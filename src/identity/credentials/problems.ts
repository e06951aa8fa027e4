import { defineProblems } from '../../platform/problems.ts';

/** What is wrong with a credential, of people and staff alike. */
export const credentialProblems = defineProblems({
  invalid_refresh_token: {
    status: 401,
    title: 'The refresh token is not accepted',
    help: 'The token is unknown, expired or revoked. Sign in again.',
  },
  refresh_token_superseded: {
    status: 401,
    title: 'A newer refresh token is in use',
    help: 'Another request of this session has refreshed meanwhile. Use the newest token; the session goes on.',
  },
  refresh_token_reused: {
    status: 401,
    title: 'An old refresh token was used again',
    help: 'The token was replaced some time ago, so that it may be in other hands. The session was ended: sign in again.',
  },
  invalid_setup: {
    status: 400,
    title: 'The set-up must begin again',
    help: 'The set-up is unknown, was replaced by a newer one, is older than 10 minutes, or had too many wrong codes. Begin with `enable-init`.',
  },
  invalid_code: {
    status: 400,
    title: 'The code is not valid',
    help: 'The code is wrong, belongs to another time, or was used. Enter the newest code of the authenticator app, or a backup code that is not used yet.',
  },
  second_factor_locked: {
    status: 403,
    title: 'Codes of this kind are no longer taken',
    help: 'A hundred wrong codes in a row were shown of the authenticator app, or of the backup codes. Use a passkey or the other of the two; a right one begins the count anew. Without any, staff of the service unlock the account.',
  },
  invalid_challenge: {
    status: 401,
    title: 'The sign-in must begin again',
    help: 'The challenge is unknown, used, too old, or had too many wrong codes. Sign in with the password again.',
  },
  invalid_current_password: {
    status: 403,
    title: 'The current password is wrong',
    help: 'Enter the password you sign in with now.',
  },
});
