import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { isExpired } from './admission.ts';
import { signatureExtended } from './events.ts';
import { loadRequestForUpdate } from './lookup.ts';
import { requireOut } from './manage.ts';
import { presentRequest } from './present.ts';
import { requestProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { RequestInFull } from './schemas.ts';
import { expiryOf } from './service.ts';

/**
 * Lets a request be signed until later. The links stay as they are, and what signers see and are written from then on has the new date. Errors: 403,
 * 404, 409 `request_sealing`, `request_ended`, also where its time is over by now, 412, 422 `expiry_invalid`.
 */
export async function extendRequest(scope: Scope, id: string, given: string, expect: VersionCheck): Promise<Versioned<RequestInFull>> {
  const { team, now } = scope;
  const request = await loadRequestForUpdate(scope, id);
  expect(request.version);
  if (request.status !== 'preparing') requireOut(request);
  if (isExpired(request)) throw requestProblems.request_ended('The time of the request is over: ask anew.');
  const expires = expiryOf(given, now);
  if (expires.getTime() <= Date.parse(request.expires_at))
    throw requestProblems.expiry_invalid(
      '`expiresAt` must lie behind the end that the request has: it is never made shorter. Void it instead.',
      {
        errors: [{ name: 'expiresAt', pointer: '/expiresAt', reason: 'must be later than it is', rule: 'range' }],
      },
    );
  scope.db.send(queries.setExpiry, { team, id: request.id, expires, at: now });
  await recordAudit(scope, signatureExtended, request.id, {
    expiresAt: expires.toISOString(),
    before: new Date(request.expires_at).toISOString(),
  });
  return presentRequest(scope, request.id);
}
