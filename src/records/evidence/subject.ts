import { type DocumentInWhole, documentInWhole } from '#documents';
import { requestInWhole } from '#signatures';
import { workflowInWhole } from '#workflows';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import { roleOnly } from '../../platform/access-reason.ts';
import { type ReadScope, readsOnly, isTeamManager, type Scope } from '../../platform/scope.ts';

export type SubjectType = 'document' | 'workflow' | 'signature';
export type Subject = { type: SubjectType; id: string };

/**
 * A thing of which the actor may have a pack. `document`: the document behind it, as far as it is there; `versions`: the only ones of it that the pack
 * has; `documentId`: the document that it is about, also in the bin; `inWhole`: whether what else is known of the document is theirs to have; `principalId`: who has of tasks and drafts about it what they see, where they
 * do not run the team.
 */
export type OpenSubject = Subject & {
  title: string;
  document?: DocumentInWhole;
  documentId?: string;
  versions?: readonly number[];
  inWhole: boolean;
  principalId: string | null;
  via?: 'role';
};

/**
 * The thing that a pack is about, for whoever may have one: the owner of the document, whoever asked for the signatures, and those who run the team.
 * A barrier keeps all of them out. Errors: 403, 404.
 */
export async function openSubject(scope: ReadScope | Scope, { type, id }: Subject): Promise<OpenSubject> {
  const { actor } = scope;
  if (actor.type !== 'user') throw problems.forbidden('Only users may request an evidence pack. Ask a member of the team.');
  const subject = await { document: ofDocument, workflow: ofWorkflow, signature: ofRequest }[type](scope, id);
  return { ...subject, principalId: isTeamManager(actor) ? null : actor.id };
}

type FoundSubject = Omit<OpenSubject, 'principalId'>;

const roleAlone = (document: DocumentInWhole) => (document.via === 'role' ? roleOnly : {});

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
    ...roleAlone(document),
  };
}

async function ofWorkflow(scope: ReadScope | Scope, given: string): Promise<FoundSubject> {
  const { id, name: title, barred, documentId, changeable } = await workflowInWhole(scope, given);
  const document = documentId === undefined ? undefined : await documentInWhole(scope, documentId);
  if (!document && barred) throw notFound('workflow');
  // One that runs on nothing that is kept here is for who made it; one whose document is in the bin for those who run the team.
  const theirs = document ? document.whole : isTeamManager(scope.actor) || (documentId === undefined && changeable);
  if (!theirs) throw notYours();
  return {
    type: 'workflow',
    id,
    title,
    ...(documentId === undefined ? {} : { documentId }),
    ...(document ? { document, ...roleAlone(document) } : {}),
    inWhole: true,
  };
}

async function ofRequest(scope: ReadScope | Scope, given: string): Promise<FoundSubject> {
  const request = await requestInWhole(scope, given);
  const document = await documentInWhole(scope, request.documentId);
  if (!document) throw notFound('request for signatures');
  if (!document.whole && (!request.isRequester || readsOnly(scope.actor))) throw notYours();
  const via = request.isRequester ? {} : roleAlone(document);
  return { type: 'signature', id: request.id, title: request.title, document, versions: request.versions, inWhole: document.whole, ...via };
}

const notYours = () =>
  problems.forbidden(
    'Only the owner of the document, the requester of the signatures, and owner and administrators of the team may request an evidence pack.',
  );
