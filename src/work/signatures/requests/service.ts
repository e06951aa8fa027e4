import { randomUUIDv7 } from 'node:crypto';
import { fileOfVersion, isBeingSigned, lockDocument, readableDocument, type ReferredDocument } from '#documents';
import { localeOfTeam } from '#teams';
import { lockSeen } from '../../../platform/database/lock-tracking.ts';
import { searchParams } from '../../../platform/database/list-filters.ts';
import type { ListPage } from '../../../platform/database/json-page.ts';
import type { MergedPage, MergedPart } from '../../../platform/database/merged-page.ts';
import type { ChangePage } from '../../../platform/database/sorted-page.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import { fieldError, problems } from '../../../platform/problems.ts';
import { type ReadScope, type Scope, userIdOf } from '../../../platform/scope.ts';
import type { Versioned } from '../../../platform/versioned.ts';
import { isPlainText } from '../../../platform/text.ts';
import { localeError, signerLocale } from './signer-locale.ts';
import { titleOf } from './documents.ts';
import { signatureRequested } from './events.ts';
import { prepareJob } from './prepare-job.ts';
import { listRequests as lists, requestsToSign as listToSign } from './list-queries.ts';
import { listedTo, seen } from './lookup.ts';
import { requestEventData, presentRequest } from './present.ts';
import { requestProblems } from './problems.ts';
import * as queries from './queries.ts';
import { holdsScope, mayAsk } from './permission.ts';
import { type CreateRequest, type DocumentBody, most, type RequestFilters, type RequestInFull } from './schemas.ts';
import { type DocumentToSign, resolveSigners } from './signers.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const usualDays = 30;
const maxDays = 365;

/** The workflow step that requests signatures. `locale` is the language of the submission that started the workflow. */
export type RequestingStep = { workflowId: string; stepId: string; locale?: string };

/** Requires languages that have texts, in a request or the requests of a batch. Throws 422 `locale_not_supported`. */
export function requireLocales({ locale, signers = [] }: Pick<CreateRequest, 'locale'> & Partial<Pick<CreateRequest, 'signers'>>): void {
  const named = [{ locale, at: '/locale' }, ...signers.map((signer, at) => ({ locale: signer.locale, at: `/signers/${at}/locale` }))];
  const errors = named.flatMap((one) => {
    const reason = localeError(one.locale);
    return reason === undefined ? [] : [fieldError(one.at, reason, 'locale')];
  });
  if (errors.length > 0)
    throw requestProblems.locale_not_supported(`The language is not supported. \`locale\` ${errors[0]?.reason ?? ''}.`, { errors });
}

/** Requests signatures for a caller of the API. Throws also 422 `locale_not_supported`; requests of stored steps use English instead. */
export function createRequest(scope: Scope, input: CreateRequest): Promise<Versioned<RequestInFull>> {
  requireLocales(input);
  return requestSignature(scope, input);
}

/**
 * Requests signatures on the newest versions of documents, with the rights of the actor. A job prepares the files and then emails the first signers.
 * Throws 403 `external_signing_denied`, 409 `signature_pending`, or 422 `document_not_signable`, `documents_too_large`, `signer_invalid`,
 * `duplicate_signer`, `creator_cannot_approve`, `expiry_invalid`.
 */
export async function requestSignature(scope: Scope, input: CreateRequest, asking?: RequestingStep): Promise<Versioned<RequestInFull>> {
  const { actor, team, now: at } = scope;
  if (actor.type === 'system') throw new Error('A signature request needs a requester.');
  if (!holdsScope(actor)) throw problems.insufficient_scope('Signature requests need the scope `signatures:write`.');
  const said = { message: plain(input.message, 'message'), consentAddition: plain(input.consentAddition, 'consentAddition') };
  const locked = await lockDocuments(scope, input);
  const locales = { request: input.locale, submission: asking?.locale };
  const { signers, documents, fields, outside } = await resolveSigners(scope, locked, input.signers, locales);
  if (!locked.every(({ referred }) => mayAsk(actor, referred, outside))) throw notToOutside();
  const id = randomUUIDv7();
  const request = {
    id,
    title: titleOf(locked),
    documents: locked,
    workflow_id: asking?.workflowId ?? null,
    step_id: asking?.stepId ?? null,
  };
  scope.db.send(queries.insertRequest, {
    team,
    id,
    title: request.title,
    ...said,
    locale: signerLocale(input.locale ?? asking?.locale ?? (await scope.db.first(localeOfTeam, { team }))?.locale),
    requireCode: input.requireCode ?? false,
    allowDelegation: input.allowDelegation ?? false,
    expires: expiryOf(input.expiresAt, at),
    by: actor.id,
    byType: actor.type,
    workflow: request.workflow_id,
    step: request.step_id,
    at,
  });
  scope.db.send(queries.insertDocuments, { team, request: id, documents: JSON.stringify(documents) });
  scope.db.send(queries.insertSigners, { team, request: id, signers: JSON.stringify(signers) });
  if (fields.length > 0) scope.db.send(queries.insertFields, { team, request: id, fields: JSON.stringify(fields) });
  const isBarred = locked.some(({ barred }) => barred);
  await record(scope, signatureRequested, id, { ...requestEventData(request), signers: signers.length }, isBarred);
  enqueue(scope, prepareJob, { request: id }, { key: id });
  return presentRequest(scope, id);
}

/** Validates a text for signers. The text must have visible characters, because the evidence states that signers saw it. Throws 400. */
function plain(given: string | undefined, member: string): string | null {
  const text = given?.trim() || null;
  if (text === null || isPlainText(text)) return text;
  const reason = 'must not contain control characters or characters that change the text direction.';
  throw problems.validation_failed(`\`${member}\` ${reason}`, { errors: [{ name: member, pointer: `/${member}`, reason, rule: 'text' }] });
}

type Signable = DocumentToSign & { referred: ReferredDocument };

/** Locks the documents, so that they get no new versions at the same time, and returns them in the order of the request. */
async function lockDocuments(scope: Scope, { documentId, documents: given }: CreateRequest): Promise<Signable[]> {
  if ((documentId === undefined) === (given === undefined))
    throw problems.validation_failed('Send either `documentId` or `documents`.', {
      errors: [{ name: 'documents', pointer: '/documents', reason: 'send either `documentId` or `documents`', rule: 'oneOf' }],
    });
  const wanted = (given ?? [{ documentId: documentId ?? '' }]).map((document: DocumentBody, place) => {
    const pointer = given === undefined ? '/documentId' : `/documents/${place}/documentId`;
    if (!isUuid(document.documentId)) throw notSignable(pointer);
    return { given: document, id: document.documentId.toLowerCase(), pointer };
  });
  const { team, db } = scope;
  const found: Signable[] = [];
  for (const { id, pointer, given: document } of wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (found.some((one) => one.id === id)) throw notSignable(pointer, 'is named twice');
    found.push(await lockSeen(db, lockDocument, { team, id }, () => signableOf(scope, id, { document, pointer })));
  }
  const live = await db.first(queries.liveOfDocuments, { team, documents: wanted.map(({ id }) => id) });
  if (live) throw isBeingSigned(live.id);
  await refuseTooLarge(scope, found);
  return wanted.flatMap(({ id }) => found.filter((one) => one.id === id));
}

async function signableOf(scope: Scope, id: string, { document, pointer }: { document: DocumentBody; pointer: string }): Promise<Signable> {
  const referred = await readableDocument(scope, id);
  const { version, sha256 } = referred ?? {};
  if (!referred || version === undefined || sha256 === undefined) throw notSignable(pointer);
  if (referred.gives !== 'write') throw problems.forbidden('You need write access to the document to request signatures. Ask its owner.');
  if (document.version !== undefined && document.version !== version)
    throw notSignable(pointer.replace('documentId', 'version'), `must be the newest version, which is ${version}`);
  return { id, title: referred.title, barred: referred.barred, version, sha256, given: document, referred };
}

/** Limits the size of the files of a request, because all are prepared and sealed together. Throws 422 `documents_too_large`. */
async function refuseTooLarge({ db, team }: Scope, documents: readonly Signable[]): Promise<void> {
  if (documents.length < 2) return;
  let size = 0;
  for (const { id, version } of documents) size += (await db.first(fileOfVersion, { team, document: id, number: version }))?.size ?? 0;
  if (size > most.bytes)
    throw requestProblems.documents_too_large(
      `The documents have ${Math.ceil(size / 1024 / 1024)} MiB together. A request can have 60 MiB. Send several requests.`,
      { errors: [{ name: 'documents', pointer: '/documents', reason: 'have more than 60 MiB together', rule: 'size' }] },
    );
}

const notSignable = (pointer: string, reason = 'must be a document with a file that you may change') =>
  requestProblems.document_not_signable(
    `The document ${reason}. Check the identifier, and that you may change the document and it has a file.`,
    { errors: [fieldError(pointer, reason, 'document')] },
  );
const notToOutside = () =>
  requestProblems.external_signing_denied(
    'A signer is not a member of your team. Only the owner of the document or an administrator can name external signers. Ask one of them.',
  );

/** Returns the expiry of a request. Throws 422 `expiry_invalid`. */
export function expiryOf(given: string | undefined, now: Date): Date {
  if (given === undefined) return new Date(now.getTime() + usualDays * dayMs);
  const at = new Date(given);
  const ahead = at.getTime() - now.getTime();
  if (ahead >= hourMs && ahead <= maxDays * dayMs) return at;
  throw requestProblems.expiry_invalid('`expiresAt` must be between one hour and 365 days from now.', {
    errors: [{ name: 'expiresAt', pointer: '/expiresAt', reason: 'must be between one hour and 365 days from now', rule: 'range' }],
  });
}

/** Returns a request that the actor may view. Throws 404. */
export async function requestOf(scope: ReadScope | Scope, id: string): Promise<Versioned<RequestInFull>> {
  return presentRequest(scope, (await seen(scope, id)).id);
}

/** Returns the status of a request. Workflows that wait for the request use it. */
export async function requestState({ db, team }: Pick<Scope, 'db' | 'team'>, id: string): Promise<string | undefined> {
  return (await db.first(queries.findRequest, { team, id }))?.status;
}

/** Lists the requests that the actor may view. Returns undefined for an invalid document identifier. */
export async function listRequests(
  scope: ReadScope,
  filters: RequestFilters,
  { sort, ...page }: ChangePage,
): Promise<ListPage | undefined> {
  const { documentId: document, matterId: matter, status, stalled } = filters;
  const { actor } = scope;
  const requestedBy = filters.requestedBy === 'me' && 'id' in actor ? actor.id : filters.requestedBy;
  if (![document, matter, requestedBy].every((id) => id === undefined || isUuid(id))) return undefined;
  const view = listedTo(actor);
  if (view === undefined || !('id' in actor)) return undefined;
  return scope.db.first(lists[document === undefined ? (filters.ids ? 'ids' : 'team') : 'document'][view][sort], {
    team: scope.team,
    owner: actor.id,
    user: userIdOf(actor),
    status: status ?? null,
    document: document?.toLowerCase() ?? null,
    matter: matter ?? null,
    requestedBy: requestedBy ?? null,
    stalled: stalled ?? null,
    ...searchParams(filters),
    ...page,
  });
}

/** Returns the requests that the actor is asked to sign now. Only members sign as themselves. */
export const requestsToSign = async ({ db, team, actor, now }: ReadScope, page: MergedPage): Promise<MergedPart[]> =>
  actor.type === 'user' ? db.all(listToSign, { team, user: actor.id, now, ...page }) : [];
