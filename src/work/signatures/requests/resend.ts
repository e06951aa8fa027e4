import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { clearUndeliverable } from '../../../platform/mail/undeliverable-queries.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Versioned } from '../../../platform/versioned.ts';
import type { Requests } from './context.ts';
import { signerResent } from './events.ts';
import { loadRequestForUpdate } from './lookup.ts';
import { linkOf, mailSigners } from './mail-signers.ts';
import { requireActiveRequest, requirePendingRequest } from './manage.ts';
import { presentRequest } from './present.ts';
import { requestProblems } from './problems.ts';
import * as queries from './queries.ts';
import { isMemberExcluded } from './permission.ts';
import type { RequestInFull } from './schemas.ts';
import * as signerQueries from './signer-queries.ts';

const betweenMs = 10 * 60_000;
const dayMs = 86_400_000;
/** Maximum number of resends in 24 hours. The period begins with the first resend. */
const most = 5;

/**
 * Emails the invitation to one signer again with the existing link. Throws 403, 404, 409 `signer_not_asked`, `signer_excluded`, `resent_recently`,
 * `request_suspended`, or 409 depending on the state.
 */
export async function resendToSigner(
  context: Requests,
  scope: Scope,
  { id, signerId }: { id: string; signerId: string },
): Promise<Versioned<RequestInFull>> {
  const { team, now } = scope;
  const request = await loadRequestForUpdate(scope, id);
  requirePendingRequest(request);
  requireActiveRequest(request);
  const signers = await scope.db.all(signerQueries.signersOf, { team, request: request.id });
  const signer = signers.find((one) => one.id === pathId(signerId, 'signer'));
  if (!signer) throw notFound('signer');
  const token = signer.status === 'pending' || signer.status === 'viewed' ? linkOf(context, signer) : undefined;
  if (token === undefined)
    throw requestProblems.signer_not_asked(
      'It is not this signer’s turn, or the signer has already signed. The request shows the turn of each signer.',
    );
  // Excluded signers get no emails, so the resend is not counted.
  if (await isMemberExcluded(scope, request, signer))
    throw requestProblems.signer_excluded(
      'No email was sent: this signer has left the team, is suspended, or is excluded by a barrier around the document. Correct the signer, or void the request.',
    );
  const { count, since } = countOf(signer, now);
  scope.db.send(clearUndeliverable, { team, address: signer.email, at: now });
  scope.db.send(signerQueries.recordResent, { team, id: signer.id, count, since, at: now });
  scope.db.send(queries.touchRequest, { team, id: request.id, at: now });
  await recordAudit(scope, signerResent, request.id, { signerId: signer.id, time: count });
  await mailSigners(context, scope, request, 'requested', [{ signer, token }]);
  return presentRequest(scope, request.id);
}

/** Returns the number of this resend in the current period of 24 hours, and the start of the period. Throws 409 `resent_recently`. */
function countOf(
  { sent_at: sent, reminded_at: reminded, resent, resent_at: again, resent_since: first }: signerQueries.SignerRow,
  now: Date,
): { count: number; since: Date } {
  const at = (time: string | null) => (time === null ? 0 : Date.parse(time));
  const sameDay = at(first) + dayMs > now.getTime();
  const free = Math.max(at(sent), at(reminded), at(again)) + betweenMs;
  const freeAt = sameDay && resent >= most ? Math.max(free, at(first) + dayMs) : free;
  if (freeAt > now.getTime())
    throw requestProblems.resent_recently(
      'The signer got an email less than ten minutes ago, or five resends within a day. Wait, or correct the address.',
      {
        headers: { 'retry-after': String(Math.ceil((freeAt - now.getTime()) / 1_000)) },
      },
    );
  return sameDay ? { count: resent + 1, since: new Date(at(first)) } : { count: 1, since: now };
}
