import { type IssuedDocument, issuedDocumentOf } from '#issued-documents';
import type { Reader } from '../../../platform/database/database.ts';
import { documentOf, pdfName, submissionProblems } from '../submit/index.ts';
import { submissionDocumentProblems } from './problems.ts';
import * as queries from './queries.ts';

/** A request about the document of a session. */
export type Asking = { db: Reader; team: string; session: string | undefined };

export type SubmissionStatus = { documentId: string; ready: boolean };

/** Returns the status of the document of the session. Throws 404 `no_submission_session`. */
export async function submissionStatus(asking: Asking): Promise<SubmissionStatus> {
  const { issuedDocument, row } = await documentInSession(asking);
  return { documentId: row.document_id ?? issuedDocument.id, ready: issuedDocument.status === 'ready' };
}

/** Returns the PDF and its file name. Throws 404 `no_submission_session`, 409 `document_not_ready`, `document_failed`. */
export async function submissionPdf(asking: Asking): Promise<{ file: NonNullable<IssuedDocument['file']>; name: string }> {
  const { issuedDocument, row } = await documentInSession(asking);
  if (issuedDocument.status === 'failed')
    throw submissionDocumentProblems.document_failed(
      'Your answers are stored, but Chancery could not create the document. The owner of the form was notified.',
    );
  if (issuedDocument.file === undefined)
    throw submissionDocumentProblems.document_not_ready('Chancery is creating the document. Try again in a few seconds.', {
      headers: { 'retry-after': '2' },
    });
  return { file: issuedDocument.file, name: pdfName(row) };
}

export type DocumentState = 'preparing' | 'ready' | 'failed';

/** Returns the state of the document of the session, or `undefined` if it has none. */
export async function documentState(asking: Asking): Promise<DocumentState | undefined> {
  const status = (await findDocument(asking))?.issuedDocument.status;
  if (status === undefined) return undefined;
  return status === 'ready' || status === 'failed' ? status : 'preparing';
}

type SessionDocument = { row: queries.SessionDocumentRow; issuedDocument: IssuedDocument };

/** Returns the document of the last submission of a session, if the form offers it to visitors. */
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
      'This session has no document. It has no submission, it expired after a day, or the form does not offer documents.',
    );
  return found;
}
