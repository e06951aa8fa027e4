import type { Actor } from '../../../platform/scope.ts';
import { actRefusal, type ActRefusal } from './policy.ts';
import { requestProblems, signingProblems } from './problems.ts';
import type { RequestRow } from './queries.ts';
import { isMemberExcluded, mayStillRequest } from './permission.ts';
import type { Visit } from './visit.ts';
import type { Scope } from '../../../platform/scope.ts';

type AdmissionVisit = Visit<{ db: Pick<Scope['db'], 'first' | 'all'>; team: string; actor: Actor }>;

/** Returns the error for an ended request, with its status. */
export function over({ status }: Pick<RequestRow, 'status'>): Error {
  const requestStatus = status === 'pending' ? 'expired' : status;
  return signingProblems.signing_closed(said[requestStatus] ?? 'The request has ended. You cannot sign it.', {
    members: { requestStatus },
  });
}

const said: Partial<Record<RequestRow['status'], string>> = {
  expired: 'The request has expired. Ask the sender for a new request.',
  voided: 'The request was withdrawn. You cannot sign it.',
  declined: 'A signer declined, which ended the request for all signers.',
  completed: 'The document is signed and sealed. The link shows it for 30 days after the completion.',
};

const refusals: Record<Exclude<ActRefusal, 'over'>, () => Error> = {
  sealing: () =>
    requestProblems.request_sealing('All signers have signed, and the document is being sealed. Wait until the request is completed.'),
  preparing: () => requestProblems.request_preparing('The service is preparing the document. Try again in a moment.'),
  already_signed: () =>
    signingProblems.already_signed('You have already signed. You get an email with the sealed document when all signers have signed.'),
  not_yours: () =>
    signingProblems.signing_closed('You get a copy of the sealed document and do not sign. Wait for the email with the document.'),
  not_your_turn: () => signingProblems.not_your_turn('Other signers sign before you. You get an email when it is your turn.'),
  paused: () => signingProblems.request_paused('The workflow of the request is paused. Try again later.'),
  suspended: () => requestProblems.request_suspended('The request is suspended. Ask the sender.'),
};

/** The error names no address: a visitor without the account sees it only masked. */
const signInRequired = ({ isOther }: Pick<Visit, 'isOther'>): Error =>
  signingProblems.sign_in_required(
    isOther
      ? 'You are signed in with another account than the signer’s. Sign out, and sign in with the account of the address in `maskedEmail` of the request.'
      : 'This request is for a member of the team. Sign in with the account of the signer, and send its access token.',
  );

/** Requires the sign-in of a member and the code, if the request needs them. Throws 403 `sign_in_required` or `code_required`. */
export function requireKnown(visit: Pick<Visit, 'request' | 'signer' | 'coded' | 'signedIn' | 'isOther'>): void {
  const { request, signer, coded, signedIn } = visit;
  if (signer.account_id !== null && !signedIn) throw signInRequired(visit);
  if (request.require_code && !coded) throw signingProblems.code_required('Request a code by email and enter it first.');
}

/** Requires that the request has not ended, and that a member has signed in. Throws 403 `sign_in_required` or 410 `signing_closed`. */
export function requireLiveLink(visit: Pick<Visit, 'request' | 'signer' | 'signedIn' | 'isOther'>): void {
  const { request, signer, signedIn } = visit;
  const { status } = request;
  const ended = status === 'declined' || status === 'expired' || status === 'voided';
  if (ended || (status === 'pending' && isExpired(request))) throw over(request);
  if (signer.account_id !== null && !signedIn) throw signInRequired(visit);
}

const sealedDays = 30;

/** Whether the signing links still serve the sealed file. */
export const returnsSealedFile = ({ status, completed_at: at, clock }: Pick<RequestRow, 'status' | 'completed_at' | 'clock'>): boolean =>
  status === 'completed' && at !== null && Date.parse(clock) - Date.parse(at) < sealedDays * 86_400_000;

/**
 * Requires that the link still shows content. Throws 410 `signing_closed` if the request ended without completion, or 30 days after its completion.
 */
export function requireNotOver({ request }: Pick<Visit, 'request'>): void {
  const { status } = request;
  const ended = status === 'declined' || status === 'expired' || status === 'voided';
  if (ended || (status === 'pending' && isExpired(request)) || (status === 'completed' && !returnsSealedFile(request))) throw over(request);
}

/**
 * Requires that the visitor may get a stored response to a repeated request. Visitors who may see the document may get
 * it. The signer who declined may get it too. Throws 403, 409 `request_suspended` or 410.
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
 * Requires that the visitor may act now, by the clock of the database. The caller must hold the lock of the request. Throws 403, 409 depending on the
 * state, or 410 `signing_closed`.
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

/** Requires access to the document of the link, depending on the status of the request. Throws 409 `request_suspended` or 410 `signing_closed`. */
export const requireStillOpen = (visit: AdmissionVisit): Promise<void> =>
  visit.request.status === 'pending' ? requireOpen(visit) : requireInside(visit);

/** Requires that the requester may still share the document and that no barrier excludes the visitor. Throws 409 `request_suspended`. */
export async function requireOpen(visit: AdmissionVisit): Promise<void> {
  const { scope, request, signers } = visit;
  if (
    request.suspended !== null ||
    (await isMemberExcluded(scope, request, visit.signer)) ||
    !(await mayStillRequest(scope, request, signers))
  )
    throw refusals.suspended();
}

/** Requires that no barrier excludes the visitor from the signed document. Throws 410 `signing_closed`. */
export async function requireInside({ scope, request, signer }: AdmissionVisit): Promise<void> {
  if (await isMemberExcluded(scope, request, signer))
    throw signingProblems.signing_closed('You no longer have access to the document. Ask the sender of the link.');
}
