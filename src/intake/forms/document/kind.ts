import type { OpenBookings } from '#bookings';
import { resolveText, localesOf } from '#fields';
import { answersManuscript, type IssuedDocumentKind } from '#issued-documents';
import { issuingTeam } from '#teams';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { record } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { brandOfDocument } from '../branding/index.ts';
import { notifyOfFailures } from '../mails/index.ts';
import { askForFile, documentOf, recordFailures } from '../submit/index.ts';
import { recordTitles, sectionsOf } from './answers.ts';
import { drawingsOf } from './drawings.ts';
import { submissionDocumentReady } from './events.ts';
import * as queries from './queries.ts';

/** The sources of data that answers only refer to: drawings and booked times. */
type Sources = { storage: Storage; bookings: Pick<OpenBookings, 'bookedTime'> };

/** Implements issued documents for submissions: provides the content and handles the results. */
export const documentsOfSubmissions = (sources: Sources): IssuedDocumentKind => ({
  kind: documentOf('').kind,

  async manuscript(scope, about, verification) {
    const found = await answersOf(sources, scope, about);
    return found && answersManuscript(found, verification);
  },

  async issued(scope, about, { sha256, pages }) {
    const row = await settle(scope, about, { status: 'done' });
    if (!row) return;
    await record(scope, submissionDocumentReady, about, { interfaceId: row.interface_id, sha256, pages });
    // A separate job, because this transaction has locked the PDF row, and the lock order requires the document first.
    askForFile(scope, about);
  },

  async failed(scope, about) {
    const detail = 'The PDF with the answers could not be made.';
    const row = await settle(scope, about, { status: 'failed', code: 'document_failed', detail });
    if (!row) return;
    await recordFailures(scope, { id: about, interfaceId: row.interface_id, failed: [{ kind: 'pdf', code: 'document_failed' }] });
    // No mail for each failure: one lists all.
    await notifyOfFailures(scope, row.interface_id);
  },
});

type Settled = { status: 'done' | 'failed'; code?: string; detail?: string };

const settle = ({ db, team, now: at }: Scope, id: string, { status, code, detail }: Settled) =>
  db.first(queries.storeDocumentResult, { team, id, status, code: code ?? null, detail: detail ?? null, at });

/** Returns the content of a submission in its original language and form version. Returns `undefined` after an erasure. */
async function answersOf({ storage, bookings }: Sources, { db, team }: ReadScope, id: string) {
  const row = await db.first(queries.submittedAnswers, { team, id });
  if (!row || row.data === null) return undefined;
  const { issuer, uploads, booked } = await pipelined({
    issuer: () => db.first(issuingTeam, { team }),
    uploads: () => db.all(queries.uploadsOfSubmission, { team, id }),
    booked: () => bookings.bookedTime({ db, team }, id),
  });
  if (!issuer) return undefined;
  const { title, description, fields, publicSettings } = row.definition;
  const [defaultLocale] = localesOf({ publicSettings });
  const locale = row.locale ?? defaultLocale;
  const values = row.data;
  const drawings = await drawingsOf(storage, fields, values, uploads);
  const records = recordTitles(row.records, row.bindings);
  return {
    locale,
    timeZone: issuer.time_zone,
    team: issuer.name,
    ...(await brandOfDocument(db, team, issuer.name)),
    title: resolveText(title, locale, defaultLocale),
    ...(description === undefined ? {} : { description: resolveText(description, locale, defaultLocale) }),
    submittedAt: new Date(row.created_at),
    reference: id,
    version: row.version,
    ...(booked ? { booked } : {}),
    sections: sectionsOf({ fields, values, uploads, drawings, records, locale, defaultLocale }),
  };
}
