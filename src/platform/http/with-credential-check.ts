import { lockNotAvailable, sqlState } from '../database/errors.ts';
import { credentialEnd } from '../database/credential-check.ts';
import { problems } from '../problems.ts';
import { notAccepted } from './authenticate.ts';

const maxTries = 3;

/**
 * Runs an act whose transaction proves its credential, again where it gave way to what ends credentials. Errors: 401
 * `invalid_token`, 403 `forbidden`, 503.
 */
export async function proven<T>(act: () => Promise<T>, tries = maxTries): Promise<T> {
  try {
    return await act();
  } catch (error) {
    switch (credentialEnd(error)) {
      case 'ended':
        throw notAccepted();
      case 'changed':
        throw problems.forbidden('Your permissions in the team changed during the request. Nothing was changed. Send it again.');
      default:
        // What ends the credential waited for this very transaction, which has given way.
        if (sqlState(error) !== lockNotAvailable) throw error;
    }
    if (tries > 1) return proven(act, tries - 1);
    throw problems.unavailable(
      'Your access is being changed at this moment, and nothing was done. Send the request again in a few seconds.',
      {
        headers: { 'retry-after': '2' },
      },
    );
  }
}
