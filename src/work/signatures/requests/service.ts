import { randomUUIDv7 } from 'node:crypto';
import { lockDocument, isBeingSigned, readableDocument, type ReferredDocument } from '#documents';
import { lockSeen } from '../../../platform/database/lock-tracking.ts';
import type { ListPage } from '../../../platform/database/json-page.ts';
import type { ChangePage } from '../../../platform/database/sorted-page.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import { type ReadScope, type Scope, userIdOf } from '../../../platform/scope.ts';
import type { Versioned } from '../../../platform/versioned.ts';
import { isPlainText } from '../../../platform/text.ts';
import { signerLocale } from './consent.ts';
import { signatureRequested } from './events.ts';
import { prepareJob } from './prepare-job.ts';
import { listRequests as lists } from './list-queries.ts';
import { listedTo, seen } from './lookup.ts';
import { requestEventData, presentRequest } from './present.ts';
import { requestProblems } from './problems.ts';
import * as queries from './queries.ts';
import { holdsScope, mayAsk } from './permission.ts';
import type { CreateRequest, RequestFilters, RequestInFull } from './schemas.ts';
import { resolveSigners } from './signers.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const usualDays = 30;
const maxDays = 365;

/** The workflow step that requests signatures. */
export type RequestingStep = { workflowId: string; stepId: string };

/**
 * Requests signatures on the newest version of a document, with the rights of the actor. A job prepares the file and then emails the first signers.
 * Throws 403 `external_signing_denied`, 409 `signature_pending`, or 422 `document_not_signable`, `signer_invalid`, `duplicate_signer`,
 * `creator_cannot_approve`, `expiry_invalid`.
 */
export async function requestSignature(scope: Scope, input: CreateRequest, asking?: RequestingStep): Promise<Versioned<RequestInFull>> {
  const { actor, team, now: at } = scope;
  if (actor.type === 'system') throw new Error('A signature request needs a requester.');
  if (!holdsScope(actor)) throw problems.insufficient_scope('Signature requests need the scope `signatures:write`.');
  const said = { message: plain(input.message, 'message'), consentAddition: plain(input.consentAddition, 'consentAddition') };
  const document = await signable(scope, input.documentId);
  const resolved = await resolveSigners(scope, document, input.signers);
  if (!mayAsk(actor, document, resolved.outside)) throw notToOutside();
  const id = randomUUIDv7();
  const request = {
    id,
    title: document.title,
    document_id: document.id,
    document_version: document.version,
    workflow_id: asking?.workflowId ?? null,
    step_id: asking?.stepId ?? null,
  };
  scope.db.send(queries.insertRequest, {
    team,
    id,
    document: document.id,
    documentVersion: document.version,
    documentSha256: document.sha256,
    title: document.title,
    ...said,
    locale: signerLocale(input.locale),
    requireCode: input.requireCode ?? false,
    allowDelegation: input.allowDelegation ?? false,
    expires: expiryOf(input.expiresAt, at),
    by: actor.id,
    byType: actor.type,
    workflow: request.workflow_id,
    step: request.step_id,
    at,
  });
  scope.db.send(queries.insertSigners, { team, request: id, signers: JSON.stringify(resolved.signers) });
  if (resolved.fields.length > 0) scope.db.send(queries.insertFields, { team, request: id, fields: JSON.stringify(resolved.fields) });
  await record(scope, signatureRequested, id, { ...requestEventData(request), signers: resolved.signers.length }, document.barred);
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

type Signable = ReferredDocument & { version: number; sha256: string };

/** Locks the document, so that it gets no new version at the same time, and returns it. */
async function signable(scope: Scope, given: string): Promise<Signable> {
  if (!isUuid(given)) throw notSignable();
  const id = given.toLowerCase();
  const document = await lockSeen(scope.db, lockDocument, { team: scope.team, id }, () => signableOf(scope, id));
  if (await scope.db.first(queries.liveOfDocument, { team: scope.team, document: id })) throw isBeingSigned();
  return document;
}

async function signableOf(scope: Scope, id: string): Promise<Signable> {
  const document = await readableDocument(scope, id);
  const { version, sha256 } = document ?? {};
  if (!document || version === undefined || sha256 === undefined) throw notSignable();
  if (document.gives !== 'write') throw problems.forbidden('You need write access to the document to request signatures. Ask its owner.');
  return { ...document, version, sha256 };
}

const notSignable = () =>
  requestProblems.document_not_signable('You can change no document with this identifier that has a file. Check the identifier.', {
    errors: [
      { name: 'documentId', pointer: '/documentId', reason: 'must be a document with a file that you may change', rule: 'document' },
    ],
  });
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
  const { documentId: document, matterId: matter, status } = filters;
  if (![document, matter].every((id) => id === undefined || isUuid(id))) return undefined;
  const { actor } = scope;
  const view = listedTo(actor);
  if (view === undefined || !('id' in actor)) return undefined;
  return scope.db.first(lists[document === undefined ? 'team' : 'document'][view][sort], {
    team: scope.team,
    owner: actor.id,
    user: userIdOf(actor),
    status: status ?? null,
    document: document?.toLowerCase() ?? null,
    matter: matter ?? null,
    ...page,
  });
}
