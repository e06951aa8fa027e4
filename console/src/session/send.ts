import { session } from './session.ts';

/** Asks the person to confirm their identity. Resolves with false if they refuse. The dialog registers it. */
type ConfirmIdentity = () => Promise<boolean>;
let confirmIdentity: ConfirmIdentity = () => Promise.resolve(false);
export const onIdentityRequired = (confirm: ConfirmIdentity): void => void (confirmIdentity = confirm);

const isSafe = (method: string) => method === 'GET' || method === 'HEAD';
/** RFC 9470 §3: the session must be confirmed again. A new access token alone does not help. */
const needsIdentity = (response: Response) => /insufficient_user_authentication/.test(response.headers.get('www-authenticate') ?? '');

async function attempt(request: Request, token: string): Promise<Response> {
  const copy = request.clone();
  copy.headers.set('authorization', `Bearer ${token}`);
  return fetch(copy);
}

/**
 * Sends a request to the API with the access token. Each change has an `Idempotency-Key`. After a 401 response
 * the same request is repeated once: with a new token, or after the person confirmed their identity.
 */
export async function send(request: Request): Promise<Response> {
  if (!isSafe(request.method) && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', crypto.randomUUID());
  const repeated = { token: false, identity: false };
  for (;;) {
    const token = await session.accessToken();
    const response = await attempt(request, token);
    if (response.status !== 401) return response;
    const reason = needsIdentity(response) ? 'identity' : 'token';
    if (repeated[reason]) return response;
    repeated[reason] = true;
    if (reason === 'token') session.discard(token);
    else if (!(await confirmIdentity())) return response;
  }
}
