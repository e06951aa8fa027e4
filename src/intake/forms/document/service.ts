import { type Rendition, renditionOf } from '#issued-documents';
import type { Reader } from '../../../platform/database/database.ts';
import { documentOf, pdfName, submissionProblems } from '../submit/index.ts';
import { submissionDocumentProblems } from './problems.ts';
import * as queries from './queries.ts';

/** Somebody who asks what became of what they sent, in the session that they have with a form. */
export type Asking = { db: Reader; team: string; session: string | undefined };

export type SubmissionStatus = { documentId: string; ready: boolean };

/** How far the document of the caller's submission is. Errors: 404 `no_submission_session`. */
export async function submissionStatus(asking: Asking): Promise<SubmissionStatus> {
  const { rendition, row } = await documentInSession(asking);
  return { documentId: row.document_id ?? rendition.id, ready: rendition.status === 'ready' };
}

/** The PDF, and how it is called. Errors: 404 `no_submission_session`, 409 `document_not_ready`, `document_failed`. */
export async function submissionPdf(asking: Asking): Promise<{ file: NonNullable<Rendition['file']>; name: string }> {
  const { rendition, row } = await documentInSession(asking);
  if (rendition.status === 'failed')
    throw submissionDocumentProblems.document_failed(
      'Your answers are stored, but Chancery could not make their document. The owner of the form was notified.',
    );
  if (rendition.file === undefined)
    throw submissionDocumentProblems.document_not_ready('The document is being made. Ask again in a few seconds.', {
      headers: { 'retry-after': '2' },
    });
  return { file: rendition.file, name: pdfName(row) };
}

export type DocumentState = 'preparing' | 'ready' | 'failed';

/** How far the document of the caller's submission is; nothing where there is none for them. */
export async function documentState(asking: Asking): Promise<DocumentState | undefined> {
  const status = (await findDocument(asking))?.rendition.status;
  if (status === undefined) return undefined;
  return status === 'ready' || status === 'failed' ? status : 'preparing';
}

type Found = { row: queries.SessionDocumentRow; rendition: Rendition };

/** The document of the newest submission of a session, where there is one that who answered may have. */
async function findDocument({ db, team, session }: Asking): Promise<Found | undefined> {
  const row = session === undefined ? undefined : await db.first(queries.documentOfSession, { team, session });
  const allowed = row?.settings.allowPdf ?? true;
  const rendition = row && allowed ? await renditionOf({ db, team }, documentOf(row.id)) : undefined;
  return row && rendition && rendition.status !== 'withdrawn' ? { row, rendition } : undefined;
}

async function documentInSession(asking: Asking): Promise<Found> {
  const found = await findDocument(asking);
  if (!found)
    throw submissionProblems.no_submission_session(
      'In this session there is no document: nothing was submitted, a day has gone by since, or the form keeps its documents to itself.',
    );
  return found;
}
