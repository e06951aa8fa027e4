import { lockNotAvailable, sqlState } from '../database/errors.ts';
import { credentialEnd } from '../database/credential-check.ts';
import { problems } from '../problems.ts';
import { notAccepted } from './authenticate.ts';

/** Each attempt waits up to half a second for the lock (`lock_credential_shared`), so all together wait 5 s. */
const maxTries = 10;

/**
 * Runs an action whose transaction checks its credential. Repeats the action if it yielded to a transaction that ends credentials. Throws 401
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
        // The transaction that ends the credential waited for this one, which was rolled back.
        if (sqlState(error) !== lockNotAvailable) throw error;
    }
    if (tries > 1) return proven(act, tries - 1);
    throw problems.unavailable('Your permissions are being changed. Nothing was done. Send the request again in a few seconds.', {
      headers: { 'retry-after': '2' },
    });
  }
}
