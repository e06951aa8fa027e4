import { type IssuedDocument, issuedDocumentOf } from '#issued-documents';
import type { Reader } from '../../../platform/database/database.ts';
import { documentOf, pdfName, submissionProblems } from '../submit/index.ts';
import { submissionDocumentProblems } from './problems.ts';
import * as queries from './queries.ts';

/** Somebody who asks what became of what they sent, in the session that they have with a form. */
export type Asking = { db: Reader; team: string; session: string | undefined };

export type SubmissionStatus = { documentId: string; ready: boolean };

/** How far the document of the caller's submission is. Errors: 404 `no_submission_session`. */
export async function submissionStatus(asking: Asking): Promise<SubmissionStatus> {
  const { issuedDocument, row } = await documentInSession(asking);
  return { documentId: row.document_id ?? issuedDocument.id, ready: issuedDocument.status === 'ready' };
}

/** The PDF, and how it is called. Errors: 404 `no_submission_session`, 409 `document_not_ready`, `document_failed`. */
export async function submissionPdf(asking: Asking): Promise<{ file: NonNullable<IssuedDocument['file']>; name: string }> {
  const { issuedDocument, row } = await documentInSession(asking);
  if (issuedDocument.status === 'failed')
    throw submissionDocumentProblems.document_failed(
      'Your answers are stored, but Chancery could not make their document. The owner of the form was notified.',
    );
  if (issuedDocument.file === undefined)
    throw submissionDocumentProblems.document_not_ready('The document is being made. Ask again in a few seconds.', {
      headers: { 'retry-after': '2' },
    });
  return { file: issuedDocument.file, name: pdfName(row) };
}

export type DocumentState = 'preparing' | 'ready' | 'failed';

/** How far the document of the caller's submission is; nothing where there is none for them. */
export async function documentState(asking: Asking): Promise<DocumentState | undefined> {
  const status = (await findDocument(asking))?.issuedDocument.status;
  if (status === undefined) return undefined;
  return status === 'ready' || status === 'failed' ? status : 'preparing';
}

type SessionDocument = { row: queries.SessionDocumentRow; issuedDocument: IssuedDocument };

/** The document of the newest submission of a session, where there is one that who answered may have. */
async function findDocument({ db, team, session }: Asking): Promise<SessionDocument | undefined> {
  const row = session === undefined ? undefined : await db.first(queries.documentOfSession, { team, session });
  const allowed = row?.settings.allowPdf ?? true;
  const issuedDocument = row && allowed ? await issuedDocumentOf({ db, team }, documentOf(row.id)) : undefined;
  return row && issuedDocument && issuedDocument.status !== 'withdrawn' ? { row, issuedDocument } : undefined;
}

async function documentInSession(asking: Asking): Promise<SessionDocument> {
  const found = await findDocument(asking);
  if (!found)
    throw submissionProblems.no_submission_session(
      'In this session there is no document: nothing was submitted, a day has gone by since, or the form keeps its documents to itself.',
    );
  return found;
}
