import { createHash } from 'node:crypto';
import { record } from '../../../platform/journal/record.ts';
import { cleanName } from '../../../platform/text.ts';
import { requireTurn } from './admission.ts';
import { consentFor } from './consent.ts';
import type { Requests } from './context.ts';
import { seenBy } from './documents.ts';
import { keepEvidence } from './evidence.ts';
import { move, notifyRequester } from './request-transitions.ts';
import { signatureDeclined, signatureSigned, signatureViewed } from './events.ts';
import { stateOf } from './mask-email.ts';
import { fillFields, markOf } from './signature-appearance.ts';
import { requestEventData } from './present.ts';
import { signingProblems } from './problems.ts';
import type { Done, Sign } from './public-schemas.ts';
import * as queries from './queries.ts';
import { askForSeal } from './seal-job.ts';
import * as signerQueries from './signer-queries.ts';
import { notifySigners } from './notify-job.ts';
import { askNext } from './signing-order.ts';
import type { Visit } from './visit.ts';

const atOf = ({ request }: Pick<Visit, 'request'>): Date => new Date(request.clock);

/** Returns the method by which the service identified the signer. */
const knownAs = ({ signedIn, request }: Pick<Visit, 'signedIn' | 'request'>): 'account' | 'code' | 'link' =>
  signedIn ? 'account' : request.require_code ? 'code' : 'link';

/** Returns the identity, network address and browser of the signer for the evidence. They are stored only there. */
export function signerIdentity(visit: Visit) {
  const { signer, ip, userAgent } = visit;
  const known = knownAs(visit);
  return {
    signer: {
      name: signer.name,
      email: signer.email,
      role: signer.role,
      order: signer.turn,
      ...(signer.account_id === null ? {} : { accountId: signer.account_id }),
      ...(signer.delegated_email === null ? {} : { delegatedBy: { name: signer.delegated_name, email: signer.delegated_email } }),
    },
    authentication: {
      known,
      proves: known === 'account' ? 'signed in with the account' : 'control of the mailbox',
    },
    ip,
    ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, 500) }),
  };
}

/** Records that the signer opened the document. Further calls change nothing. Throws 403, 409 depending on the state, or 410. */
export async function openSigning(context: Requests, visit: Visit): Promise<void> {
  await requireTurn(visit);
  const { scope, request, signer } = visit;
  if (signer.status !== 'pending') return;
  const { team } = scope;
  const at = atOf(visit);
  scope.db.send(signerQueries.viewSigner, { team, id: signer.id, at });
  const evidenceSha256 = await keepEvidence(context, scope, request, {
    act: 'viewed',
    signer,
    at,
    content: signerIdentity(visit),
  });
  scope.db.send(queries.touchRequest, { team, id: request.id, at: scope.now });
  await record(scope, signatureViewed, request.id, { ...requestEventData(request), signerId: signer.id, evidenceSha256 }, request.barred);
}

/**
 * Signs or approves. `png` is the drawing, redrawn before the transaction. The last signature starts the sealing; any other signature sends an email
 * to the next signers. Throws 403, 409 `already_signed`, `consent_changed`, `document_changed_meanwhile`, 409 depending on the state, 410, or 422
 * `consent_required`, `fields_invalid`, `signature_image_invalid`.
 */
export async function sign(context: Requests, visit: Visit, input: Sign, png: Buffer | undefined): Promise<Done> {
  await requireTurn(visit);
  const { scope, request, signer, signers } = visit;
  const { team } = scope;
  const consent = agreed(visit, input);
  await requireFresh(visit, input);
  const name = cleanName(input.name);
  const own = (await scope.db.all(queries.fieldsOf, { team, request: request.id })).filter(({ signer_id: of }) => of === signer.id);
  const filled = fillFields(own, input.fields ?? {});
  const mark = markOf(input.signature, name, png);
  const at = atOf(visit);
  const content = {
    ...signerIdentity(visit),
    typedName: name,
    consent: { id: consent.id, locale: consent.locale, sha256: consent.sha256, text: consent.text },
    signature: {
      kind: mark.kind,
      ...(mark.text === null ? {} : { text: mark.text }),
      ...(mark.png === null ? {} : { sha256: hashOf(mark.png) }),
    },
    fields: own.map(({ id, kind, document }) => ({
      id,
      kind,
      ...(request.documents.length > 1 ? { document } : {}),
      ...(filled[id] === undefined ? {} : { value: filled[id] }),
    })),
  };
  const signed = await scope.db.first(signerQueries.signSigner, {
    team,
    id: signer.id,
    name,
    kind: mark.kind,
    text: mark.text,
    png: mark.png,
    known: knownAs(visit),
    filled: JSON.stringify(filled),
    at,
  });
  if (!signed) throw new Error(`The signer ${signer.id} changed while the request was locked.`);
  const evidenceSha256 = await keepEvidence(context, scope, request, { act: 'signed', signer, at, content });
  await record(scope, signatureSigned, request.id, { ...requestEventData(request), signerId: signer.id, evidenceSha256 }, request.barred);
  const left = signers.map((one) => (one.id === signer.id ? { ...one, status: 'signed' as const } : one));
  if (left.every(({ role, status }) => role === 'copy' || status === 'signed')) {
    await move(scope, request, 'seal', { step: 'seal' });
    askForSeal(scope, request.id);
    return { success: true, status: 'sealing' };
  }
  scope.db.send(queries.touchRequest, { team, id: request.id, at: scope.now });
  await askNext(context, scope, request, left);
  return { success: true, status: 'pending' };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function agreed(visit: Visit, { consent: agrees, consentId, locale }: Sign) {
  const consent = consentFor(visit);
  if (!agrees)
    throw signingProblems.consent_required('A signature needs `consent: true`. To refuse, decline the request.', {
      errors: [{ name: 'consent', pointer: '/consent', reason: 'must be true', rule: 'const' }],
    });
  if ((consentId !== undefined && consentId !== consent.id) || (locale !== undefined && locale !== consent.locale))
    throw signingProblems.consent_changed('The consent text of this request is different. Read it again and then decide.');
  return consent;
}

/** Requires that the signer saw the current content. Throws 409 `document_changed_meanwhile`. */
async function requireFresh({ scope, request, signer }: Visit, { documentSha256, documentsSha256, stateSha256 }: Sign): Promise<void> {
  const stale = () =>
    signingProblems.document_changed_meanwhile(
      'The content to sign has changed since you read it. Read the request again and then decide.',
    );
  const presented = seenBy(request.documents, signer.id).map(({ presentedSha256 }) => presentedSha256);
  if (documentSha256 !== undefined && documentSha256 !== presented[0]) throw stale();
  if (documentsSha256 !== undefined && documentsSha256.join() !== presented.join()) throw stale();
  if (stateSha256 === undefined) return;
  const acts = await scope.db.all(queries.evidenceOf, { team: scope.team, request: request.id });
  if (stateSha256 !== stateOf(presented, acts)) throw stale();
}

/** Declines the request, which ends it for all signers. Throws 403, 409 depending on the state, or 410. */
export async function decline(context: Requests, visit: Visit, given: string | undefined): Promise<Done> {
  await requireTurn(visit);
  const { scope, request, signer } = visit;
  const at = atOf(visit);
  const reason = given?.trim() || undefined;
  const said = reason === undefined ? {} : { reason };
  await scope.db.all(signerQueries.declineSigner, { team: scope.team, id: signer.id, reason: reason ?? null, at });
  const content = { ...signerIdentity(visit), ...said };
  const evidenceSha256 = await keepEvidence(context, scope, request, { act: 'declined', signer, at, content });
  await move(scope, request, 'decline', said);
  const about = { ...requestEventData(request), signerId: signer.id, evidenceSha256, ...said };
  await record(scope, signatureDeclined, request.id, about, request.barred);
  notifySigners(scope, request.id, 'declined');
  await notifyRequester(scope, request, 'declined', { by: signer.name, ...said });
  return { success: true, status: 'declined' };
}
