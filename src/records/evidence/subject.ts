import { type DocumentInWhole, documentInWhole } from '#documents';
import { requestInWhole } from '#signatures';
import { workflowInWhole } from '#workflows';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import { packScopes } from './policy.ts';
import { roleOnly } from '../../platform/access-reason.ts';
import { isConfined, type ReadScope, readsOnly, isTeamManager, type Scope } from '../../platform/scope.ts';

export type SubjectType = 'document' | 'workflow' | 'signature';
export type Subject = { type: SubjectType; id: string };

/**
 * The subject of an evidence pack.
 * - `document`: its first document outside the bin.
 * - `versions`: if given, the pack has only these versions.
 * - `others`: the further documents of a signature request or workflow, like the first.
 * - `documentId`: its first document, even if it is in the bin.
 * - `inWhole`: whether the actor may have everything about the document.
 * - `principalId`: the person whose view limits tasks and drafts; null for managers of the team.
 */
export type OpenSubject = Subject & {
  title: string;
  document?: DocumentInWhole;
  documentId?: string;
  versions?: readonly number[];
  others?: readonly { document: DocumentInWhole; versions?: readonly number[] }[];
  inWhole: boolean;
  principalId: string | null;
  via?: 'role';
};

/**
 * Returns the subject of a pack. Allowed are the owner of the document, the requester of the signatures, managers of the team, and API clients that
 * see the whole team. A barrier excludes all of them. Errors: 403, 404.
 */
export async function openSubject(scope: ReadScope | Scope, { type, id }: Subject): Promise<OpenSubject> {
  const { actor } = scope;
  const isClient = actor.type === 'client';
  if (!isClient && actor.type !== 'user') throw problems.forbidden('Only users and API clients may request an evidence pack.');
  const lacking = isClient ? packScopes.filter((one) => !actor.scopes.has(one)) : [];
  if (lacking.length > 0) throw problems.insufficient_scope(`The API client needs the scopes ${lacking.join(' ')}.`);
  const subject = await { document: ofDocument, workflow: ofWorkflow, signature: ofRequest }[type](scope, id);
  return { ...subject, principalId: isTeamManager(actor) || (isClient && !isConfined(actor)) ? null : actor.id };
}

type FoundSubject = Omit<OpenSubject, 'principalId'>;

async function ofDocument(scope: ReadScope | Scope, given: string): Promise<FoundSubject> {
  const document = await documentInWhole(scope, pathId(given, 'document'));
  if (!document) throw notFound('document');
  if (!document.whole) throw notYours();
  return {
    type: 'document',
    id: document.id,
    title: document.title,
    document,
    documentId: document.id,
    inWhole: true,
    ...(document.via === 'role' ? roleOnly : {}),
  };
}

async function ofWorkflow(scope: ReadScope | Scope, given: string): Promise<FoundSubject> {
  const { id, name: title, barred, documentIds, changeable } = await workflowInWhole(scope, given);
  const documents: DocumentInWhole[] = [];
  for (const one of documentIds) {
    const found = await documentInWhole(scope, one);
    if (!found && barred) throw notFound('workflow');
    if (found ? !found.whole : !isTeamManager(scope.actor)) throw notYours();
    if (found) documents.push(found);
  }
  if (documentIds.length === 0 && barred) throw notFound('workflow');
  // A workflow without a stored document belongs to its creator. If a document is in the bin, only managers of the team may have the pack.
  if (documentIds.length === 0 && !isTeamManager(scope.actor) && !changeable) throw notYours();
  const [documentId] = documentIds;
  const [document, ...others] = documents;
  return {
    type: 'workflow',
    id,
    title,
    ...(documentId === undefined ? {} : { documentId }),
    ...(document ? { document, others: others.map((one) => ({ document: one })) } : {}),
    inWhole: true,
    ...(documents.some(({ via }) => via === 'role') ? roleOnly : {}),
  };
}

async function ofRequest(scope: ReadScope | Scope, given: string): Promise<FoundSubject> {
  const request = await requestInWhole(scope, given);
  const found: { document: DocumentInWhole; versions: readonly number[] }[] = [];
  for (const { id, versions } of request.documents) {
    const document = await documentInWhole(scope, id);
    if (!document) throw notFound('signature request');
    if (!document.whole && (!request.isRequester || readsOnly(scope.actor))) throw notYours();
    found.push({ document, versions });
  }
  const [first, ...others] = found;
  if (!first) throw notFound('signature request');
  return {
    type: 'signature',
    id: request.id,
    title: request.title,
    ...first,
    ...(others.length > 0 ? { others } : {}),
    inWhole: found.every(({ document }) => document.whole),
    ...(request.isRequester || !found.some(({ document }) => document.via === 'role') ? {} : roleOnly),
  };
}

const notYours = () =>
  problems.forbidden(
    'Only the owner of the document, the requester of the signatures, and managers of the team may request an evidence pack. API clients need access to the whole team.',
  );
