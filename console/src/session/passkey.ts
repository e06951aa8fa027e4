import { startAuthentication } from '@simplewebauthn/browser';

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
export const passkeysWork = (): boolean => 'PublicKeyCredential' in globalThis;

/** Asks the browser for a passkey. Rejects with NotAllowedError if the person stops. */
export async function askForPasskey(options: unknown) {
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON: options as RequestOptions });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: type as 'public-key',
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle === undefined ? {} : { userHandle }) },
  };
}

/** Whether a person stopped the dialog of the browser. */
export const wasStopped = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
