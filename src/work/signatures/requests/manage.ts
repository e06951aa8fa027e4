import { lockDocument, isBeingSigned } from '#documents';
import { membersByAddress } from '#teams';
import { enqueue } from '../../../platform/jobs/job.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { isExpired } from './admission.ts';
import type { Requests } from './context.ts';
import { keepEvidence } from './evidence.ts';
import { evidenceRead, signatureResumed, signatureRetried, signerCorrected, signerReminded } from './events.ts';
import { move, takeBack } from './request-transitions.ts';
import { loadRequestForUpdate, mayDo, seen } from './lookup.ts';
import { linkOf, mailSigners, nextReminder } from './mail-signers.ts';
import { prepareJob } from './prepare-job.ts';
import { presentRequest } from './present.ts';
import { requestProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';
import { isMemberExcluded, mayAskAll, outsideSign, refuseExcluded } from './permission.ts';
import type { Correction, EvidenceList, RequestInFull } from './schemas.ts';
import { askForSeal } from './seal-job.ts';
import * as signerQueries from './signer-queries.ts';
import { cleanPerson, refuseCreators, refuseOutsideBarrier, replaceSigner } from './signers.ts';
import { live } from './states.ts';
import { askNext } from './signing-order.ts';

const dayMs = 86_400_000;
/** Maximum number of evidence entries of a request that can still be corrected. */
const maxActs = 1_000;
/** Maximum number of corrections of one signer within a day. */
const maxCorrections = 5;

/** Requires a pending request. Throws 409 `request_preparing`, `request_sealing` or `request_ended`. */
export function requirePendingRequest({ status }: Pick<RequestRow, 'status'>): void {
  if (status === 'preparing') throw requestProblems.request_preparing('The service is preparing the file. Try again in a moment.');
  if (status === 'sealing')
    throw requestProblems.request_sealing('All signers have signed, and the document is being sealed. Read the request again in a moment.');
  if (status !== 'pending') throw requestProblems.request_ended(`The request is ${status} and can no longer change.`);
}

/** Voids a request. Throws 403, 404, 409 `request_sealing`, `request_ended`, or 412. */
export async function voidByHand(scope: Scope, id: string, reason: string, expect: VersionCheck): Promise<Versioned<RequestInFull>> {
  const request = await loadRequestForUpdate(scope, id);
  expect(request.version);
  if (request.status !== 'preparing') requirePendingRequest(request);
  await takeBack(scope, request, reason);
  return presentRequest(scope, request.id);
}

/**
 * Voids a request for another domain, for example for a cancelled workflow. The caller must have checked the permission. Does nothing if the request
 * has ended. Returns false if the document is being sealed, which cannot be undone.
 */
export async function voidRequest(scope: Scope, id: string, reason?: string): Promise<boolean> {
  const request = await scope.db.locked(queries.lockRequest, { team: scope.team, id }, () =>
    scope.db.first(queries.findRequest, { team: scope.team, id }),
  );
  if (request?.status === 'sealing') return false;
  if (request) await takeBack(scope, request, reason);
  return true;
}

/** Pauses or resumes a request with its workflow. */
export async function pauseRequest(scope: Scope, id: string, paused: boolean): Promise<void> {
  await scope.db.all(queries.lockRequest, { team: scope.team, id });
  await scope.db.all(queries.setPaused, { team: scope.team, id, paused, at: scope.now });
}

/**
 * Returns the evidence of a request. Records the access, because the evidence contains network addresses and browser names. Throws 404, or 403 to an
 * API client that did not create the request.
 */
export async function readEvidence(scope: Scope, id: string): Promise<EvidenceList> {
  const request = await seen(scope, id);
  // Emergency access is sufficient, because nothing changes.
  if (!mayDo(scope.actor, 'manage', { ...request, outsider: false }))
    throw problems.forbidden(
      'An API client or agent can read only the evidence of its own signature requests. A person can read all evidence.',
    );
  const rows = await scope.db.all(queries.evidenceOf, { team: scope.team, request: request.id });
  await recordAudit(scope, evidenceRead, request.id);
  return { evidence: rows.map(({ number, signer_id: signerId, act, jws, sha256, at }) => ({ number, signerId, act, jws, sha256, at })) };
}

/**
 * Reminds the signers whose turn it is, each at most once a day. Skips excluded signers. Throws 403, 404, 409 `reminded_recently`, `signer_excluded`
 * if all are excluded, or 409 depending on the state.
 */
export async function remindByHand(context: Requests, scope: Scope, id: string): Promise<Versioned<RequestInFull>> {
  const request = await loadRequestForUpdate(scope, id);
  requirePendingRequest(request);
  requireActiveRequest(request);
  const signers = await scope.db.all(signerQueries.signersOf, { team: scope.team, request: request.id });
  const waiting = signers.filter(({ status }) => status === 'pending' || status === 'viewed');
  // Excluded signers get no emails, so no reminder is recorded or counted.
  const reachable: signerQueries.SignerRow[] = [];
  for (const signer of waiting) if (!(await isMemberExcluded(scope, request, signer))) reachable.push(signer);
  if (waiting.length > 0 && reachable.length === 0)
    throw requestProblems.signer_excluded(
      'No signer can be reminded: all current signers have left the team, are suspended, or are excluded by a barrier around the document. Correct a signer, or void the request.',
    );
  const freeAt = ({ reminded_at: reminded, sent_at: sent, resent_at: again }: signerQueries.SignerRow) =>
    Math.max(Date.parse(reminded ?? sent ?? ''), again === null ? 0 : Date.parse(again)) + dayMs;
  const due = reachable.filter((signer) => freeAt(signer) <= scope.now.getTime());
  if (due.length === 0) {
    const wait = Math.ceil((Math.min(...reachable.map(freeAt)) - scope.now.getTime()) / 1_000);
    throw requestProblems.reminded_recently('All current signers got an email within the last day. Wait, or contact them yourself.', {
      headers: { 'retry-after': String(Number.isFinite(wait) ? wait : 86_400) },
    });
  }
  await remind(context, scope, request, due);
  scope.db.send(queries.touchRequest, { team: scope.team, id: request.id, at: scope.now });
  return presentRequest(scope, request.id);
}

/** Requires an unexpired request, because an expired link is useless. Throws 409 `request_ended`. */
function requireInTime(times: Pick<RequestRow, 'expires_at' | 'clock'>): void {
  if (isExpired(times)) throw requestProblems.request_ended('The request has expired. Create a new request.');
}

/** Requires a request that is neither suspended nor expired. Throws 409 `request_suspended` or `request_ended`. */
export const requireActiveRequest = ({ suspended, ...times }: Pick<RequestRow, 'suspended' | 'expires_at' | 'clock'>): void => {
  requireInTime(times);
  if (suspended !== null)
    throw requestProblems.request_suspended('The request is suspended. Its owner or an administrator can resume or void it.');
};

/** Sends a reminder with the existing link. The caller must hold the lock of the request. */
export async function remind(context: Requests, scope: Scope, request: RequestRow, due: readonly signerQueries.SignerRow[]): Promise<void> {
  for (const { id, sent_at: sent, reminders } of due) {
    const next = sent === null ? null : nextReminder(new Date(sent), reminders + 1);
    scope.db.send(signerQueries.storeReminder, { team: scope.team, id, next, at: scope.now });
    await recordAudit(scope, signerReminded, request.id, { signerId: id, reminder: reminders + 1 });
  }
  const to = due.flatMap((signer) => {
    const token = linkOf(context, signer);
    return token === undefined ? [] : [{ signer, token }];
  });
  await mailSigners(context, scope, request, 'reminded', to);
}

/**
 * Retries the failed sealing of a fully signed request, or the failed preparation of another request. Rejects a document in the bin, and a document
 * with a newer version, because the sealed file would replace it. Throws 403, 404, or 409 `nothing_to_retry`, `signature_pending`.
 */
export async function retryRequest(scope: Scope, id: string): Promise<Versioned<RequestInFull>> {
  const request = await loadRequestForUpdate(scope, id);
  const { team } = scope;
  if (request.status !== 'failed')
    throw requestProblems.nothing_to_retry(`The request is ${request.status}. Only a failed request can be retried.`);
  for (const { id: documentId, version, title } of request.documents.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const document = await scope.db.first(lockDocument, { team, id: documentId });
    if (document?.deleted_at !== null)
      throw requestProblems.nothing_to_retry(`The document “${title}” is in the bin. Restore it first and then retry.`);
    if (document.current_version !== version)
      throw requestProblems.nothing_to_retry(
        `The document “${title}” has a newer version. Create a new request for it. Existing signatures stay in the evidence.`,
      );
  }
  const documents = request.documents.map((document) => document.id);
  const other = await scope.db.first(queries.liveOfDocuments, { team, documents });
  if (other) throw isBeingSigned(other.id);
  // The first links are created with the last prepared file.
  const isSent = (await scope.db.all(signerQueries.signersOf, { team, request: request.id })).some(({ sealed }) => sealed !== null);
  const isPrepared = request.documents.every(({ presentedKey }) => presentedKey !== null);
  const again = isSent && isPrepared ? ('sealAgain' as const) : ('prepareAgain' as const);
  if (again === 'prepareAgain') requireInTime(request);
  const step = again === 'sealAgain' ? 'seal' : 'prepare';
  await move(scope, request, again, { step });
  scope.db.send(queries.setDocumentError, { team, request: request.id, place: null, error: null });
  if (again === 'sealAgain') askForSeal(scope, request.id);
  else enqueue(scope, prepareJob, { request: request.id }, { key: request.id });
  await recordAudit(scope, signatureRetried, request.id, { step });
  return presentRequest(scope, request.id);
}

/**
 * Resumes a suspended request with the rights of the caller. Throws 403 if the caller may not share the document with the signers, 404, 409
 * `request_not_suspended`, or 409 depending on the state.
 */
export async function resumeRequest(context: Requests, scope: Scope, id: string): Promise<Versioned<RequestInFull>> {
  const { actor, team, now: at } = scope;
  const request = await loadRequestForUpdate(scope, id);
  if (request.suspended === null || !live.includes(request.status))
    throw requestProblems.request_not_suspended('The request is not suspended.');
  if (request.status !== 'sealing') requireInTime(request);
  const signers = await scope.db.all(signerQueries.signersOf, { team, request: request.id });
  if (actor.type === 'system' || !(await mayAskAll(scope, request, outsideSign(signers))))
    throw problems.forbidden('You may not share the document with the signers. Ask its owner or an administrator to resume the request.');
  if (request.documents.length > 1) await refuseExcluded(scope, request, signers);
  scope.db.send(queries.setRequester, { team, id: request.id, by: actor.id });
  await scope.db.all(queries.suspend, { team, id: request.id, why: null, at });
  await recordAudit(scope, signatureResumed, request.id);
  if (request.status === 'pending') await askNext(context, scope, { ...request, suspended: null, requested_by: actor.id }, signers);
  return presentRequest(scope, request.id);
}

/** Limits corrections, because each correction of a current signer sends an email immediately. Throws 409 `resent_recently`. */
async function refuseOften({ db, team, now }: Scope, { id: request }: RequestRow, signer: string): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  const { count = 0, first } = (await db.first(queries.correctionsSince, { team, request, signer, since })) ?? {};
  if (count < maxCorrections) return;
  const wait = Math.max(1, Math.ceil((Date.parse(first ?? '') + dayMs - now.getTime()) / 1_000));
  throw requestProblems.resent_recently('This signer was corrected five times within a day. Try again tomorrow, or void the request.', {
    headers: { 'retry-after': String(wait) },
  });
}

/**
 * Corrects the name or address of a signer who has not opened the document. The old link becomes invalid. A current signer gets a new link by email.
 * Throws 403, 404, 409 `signer_opened`, `resent_recently`, 409 depending on the state, or 422.
 */
export async function correctSigner(
  context: Requests,
  scope: Scope,
  { id, signerId }: { id: string; signerId: string },
  input: Correction,
): Promise<Versioned<RequestInFull>> {
  const { team } = scope;
  const request = await loadRequestForUpdate(scope, id);
  requirePendingRequest(request);
  requireInTime(request);
  const signers = await scope.db.all(signerQueries.signersOf, { team, request: request.id });
  const signer = signers.find((one) => one.id === pathId(signerId, 'signer'));
  if (!signer) throw notFound('signer');
  if (signer.status !== 'waiting' && signer.status !== 'pending')
    throw requestProblems.signer_opened('This signer has opened the document. Void the request and create a new one.');
  if (((await scope.db.first(queries.lastEvidence, { team, request: request.id }))?.number ?? 0) >= maxActs)
    throw problems.conflict('This request has 1 000 evidence entries and cannot be corrected. Void it and create a new one.');
  if (signer.status === 'pending') await refuseOften(scope, request, signer.id);
  const person = cleanPerson({ email: input.email ?? signer.email, name: input.name ?? signer.name }, '', (errors) =>
    requestProblems.signer_invalid('The address or the name is invalid. Correct it.', { errors }),
  );
  if (signers.some((other) => other.id !== signer.id && other.email_key === person.email_key))
    throw requestProblems.duplicate_signer('Another signer of this request has this address. Use a different address for each signer.');
  const [member] = await scope.db.all(membersByAddress, { team, keys: [person.email_key] });
  const account = member?.id ?? null;
  const now = { ...signer, account_id: account };
  if (!(await mayAskAll(scope, request, false)))
    throw problems.forbidden('You need write access to the document to change a signer. Ask its owner.');
  if (account === null && !(await mayAskAll(scope, request, true)))
    throw requestProblems.external_signing_denied(
      'Only the owner of the document or an administrator can name external signers. Ask one of them.',
    );
  await refuseCreators(scope, request, [now]);
  await refuseOutsideBarrier(scope, request.documents, [now]);
  const content = { invited: { name: signer.name, email: signer.email }, corrected: { name: person.name, email: person.email } };
  const evidenceSha256 = await keepEvidence(context, scope, request, { act: 'corrected', signer, at: scope.now, content });
  replaceSigner(scope, { request: request.id, id: signer.id }, { ...person, account });
  await recordAudit(scope, signerCorrected, request.id, { signerId: signer.id, evidenceSha256 });
  await askNext(context, scope, request, await scope.db.all(signerQueries.signersOf, { team, request: request.id }));
  return presentRequest(scope, request.id);
}
