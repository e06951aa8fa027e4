import type { Actor } from '../../../platform/scope.ts';
import { actRefusal, type ActRefusal } from './policy.ts';
import { requestProblems, signingProblems } from './problems.ts';
import type { RequestRow } from './queries.ts';
import { isMemberExcluded, stillMayAsk } from './permission.ts';
import type { Visit } from './visit.ts';
import type { Scope } from '../../../platform/scope.ts';

type AdmissionVisit = Visit<{ db: Pick<Scope['db'], 'first' | 'all'>; team: string; actor: Actor }>;

/** That a request has ended, and how: whoever has the link is told whether to ask anew. */
export function over({ status }: Pick<RequestRow, 'status'>): Error {
  const requestStatus = status === 'pending' ? 'expired' : status;
  return signingProblems.signing_closed(said[requestStatus] ?? 'The request has ended: there is nothing to sign any more.', {
    members: { requestStatus },
  });
}

const said: Partial<Record<RequestRow['status'], string>> = {
  expired: 'The request was not signed in time, and has ended. Ask whoever sent you the link.',
  voided: 'The request was withdrawn: there is nothing to sign any more.',
  declined: 'Somebody who was asked has declined, which ended the request for all.',
  completed: 'The document was signed and sealed, and the link gives it for 30 days.',
};

const refusals: Record<Exclude<ActRefusal, 'over'>, () => Error> = {
  sealing: () => requestProblems.request_sealing('All have signed, and the document is being sealed.'),
  preparing: () => requestProblems.request_preparing('The service is making the document ready. Try again in a moment.'),
  already_signed: () => signingProblems.already_signed('You have signed already. When all have, you get the sealed document by mail.'),
  not_yours: () => signingProblems.signing_closed('You get a copy of the sealed document, and sign nothing.'),
  not_your_turn: () => signingProblems.not_your_turn('Others sign before you. You get a mail when it is your turn.'),
  paused: () => signingProblems.request_paused('Whoever asked has paused it. Try again later.'),
  suspended: () => requestProblems.request_suspended('The request stands still. Ask whoever sent it.'),
};

/** Whether what was asked for is there for who came: a member signed in, a code given. Errors: 403 `sign_in_required`, `code_required`. */
export function requireKnown({ request, signer, coded, signedIn }: Pick<Visit, 'request' | 'signer' | 'coded' | 'signedIn'>): void {
  if (signer.account_id !== null && !signedIn)
    throw signingProblems.sign_in_required(
      'This request is for a member of the team: sign in with that account, and send the access token along.',
    );
  if (request.require_code && !coded) throw signingProblems.code_required('Ask for a code, which comes by mail, and give it first.');
}

/** Whether the link is of something that goes on, for the member who is asked. Errors: 403 `sign_in_required`, 410 `signing_closed`. */
export function requireLiveLink({ request, signer, signedIn }: Pick<Visit, 'request' | 'signer' | 'signedIn'>): void {
  const { status } = request;
  const ended = status === 'declined' || status === 'expired' || status === 'voided';
  if (ended || (status === 'pending' && isExpired(request))) throw over(request);
  if (signer.account_id !== null && !signedIn)
    throw signingProblems.sign_in_required(
      'This request is for a member of the team: sign in with that account, and send the access token along.',
    );
}

const sealedDays = 30;

/** Whether the sealed file is given by links still. */
export const givesSealed = ({ status, completed_at: at, clock }: Pick<RequestRow, 'status' | 'completed_at' | 'clock'>): boolean =>
  status === 'completed' && at !== null && Date.parse(clock) - Date.parse(at) < sealedDays * 86_400_000;

/** Whether the link shows anything still. Errors: 410 `signing_closed` where the request has ended, or 30 days after it was completed. */
export function requireNotOver({ request }: Pick<Visit, 'request'>): void {
  const { status } = request;
  const ended = status === 'declined' || status === 'expired' || status === 'voided';
  if (ended || (status === 'pending' && isExpired(request)) || (status === 'completed' && !givesSealed(request))) throw over(request);
}

/**
 * Whether who came may be given an answer of before, which is kept under the key of their request: as long as they would be shown what is
 * signed, or have ended it themself. Errors: 403, 409 `request_suspended`, 410.
 */
export async function requireAnswerAgain(visit: AdmissionVisit): Promise<void> {
  const { request, signer } = visit;
  if (request.status !== 'declined' || signer.status !== 'declined') requireNotOver(visit);
  requireKnown(visit);
  await requireStillOpen(visit);
}

export const isExpired = ({ expires_at: end, clock }: { expires_at: string; clock: string }): boolean =>
  Date.parse(end) <= Date.parse(clock);

/**
 * Whether who came may do something now. By the database's clock, under the lock of the request. Errors: 403, 409 by the state, 410
 * `signing_closed`.
 */
export async function requireTurn(visit: AdmissionVisit): Promise<void> {
  const { request, signer } = visit;
  const { status, paused, suspended } = request;
  const refusal = actRefusal({ status, paused, suspended: suspended !== null, expired: isExpired(request) }, signer);
  if (refusal === 'over') throw over(request);
  if (refusal === 'not_yours') throw refusals.not_yours();
  requireKnown(visit);
  if (refusal !== undefined) throw refusals[refusal]();
  await requireOpen(visit);
}

/** Whether what the link leads to is open still to who came, as the request stands. Errors: 409 `request_suspended`, 410 `signing_closed`. */
export const requireStillOpen = (visit: AdmissionVisit): Promise<void> =>
  visit.request.status === 'pending' ? requireOpen(visit) : requireInside(visit);

/** Whether the document is open still to who came, by the right of who asked and by its barrier. Errors: 409 `request_suspended`. */
export async function requireOpen(visit: AdmissionVisit): Promise<void> {
  const { scope, request, signers } = visit;
  if (request.suspended !== null || (await isMemberExcluded(scope, request, visit.signer)) || !(await stillMayAsk(scope, request, signers)))
    throw refusals.suspended();
}

/** Whether what all have signed is open still to who came: a barrier keeps members out of that as well. Errors: 410 `signing_closed`. */
export async function requireInside({ scope, request, signer }: AdmissionVisit): Promise<void> {
  if (await isMemberExcluded(scope, request, signer))
    throw signingProblems.signing_closed('The document is not open to you any more. Ask whoever sent you the link.');
}
