import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { isExpired } from './admission.ts';
import { signatureExtended } from './events.ts';
import { loadRequestForUpdate } from './lookup.ts';
import { requirePendingRequest } from './manage.ts';
import { presentRequest } from './present.ts';
import { requestProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { RequestInFull } from './schemas.ts';
import { expiryOf } from './service.ts';

/**
 * Sets a later expiry of a request. Links stay valid; pages and later emails show the new date. Throws 403, 404, 409 `request_sealing`,
 * `request_ended` (also for an expired request), 412, or 422 `expiry_invalid`.
 */
export async function extendRequest(scope: Scope, id: string, given: string, expect: VersionCheck): Promise<Versioned<RequestInFull>> {
  const { team, now } = scope;
  const request = await loadRequestForUpdate(scope, id);
  expect(request.version);
  if (request.status !== 'preparing') requirePendingRequest(request);
  if (isExpired(request)) throw requestProblems.request_ended('The request has expired. Create a new request.');
  const expires = expiryOf(given, now);
  if (expires.getTime() <= Date.parse(request.expires_at))
    throw requestProblems.expiry_invalid('`expiresAt` must be later than the current expiry. To end the request earlier, void it.', {
      errors: [{ name: 'expiresAt', pointer: '/expiresAt', reason: 'must be later than the current expiry', rule: 'range' }],
    });
  scope.db.send(queries.setExpiry, { team, id: request.id, expires, at: now });
  await recordAudit(scope, signatureExtended, request.id, {
    expiresAt: expires.toISOString(),
    before: new Date(request.expires_at).toISOString(),
  });
  return presentRequest(scope, request.id);
}
