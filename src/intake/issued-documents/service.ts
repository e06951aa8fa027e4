import { randomUUIDv7 } from 'node:crypto';
import type { Credentials } from '#credentials';
import type { Database } from '../../platform/database/database.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { hashOfCode, readCode } from './codes.ts';
import { documentRetried, documentWithdrawn } from './events.ts';
import { issueDocumentJob } from './jobs.ts';
import { issuedDocumentProblems } from './problems.ts';
import * as queries from './queries.ts';

/** The document of a thing: whether there is one, and its file while it is ready. `error` says why it failed. */
export type IssuedDocument = {
  id: string;
  status: queries.IssuedDocumentStatus;
  issuedAt?: string;
  error?: string;
  file?: { key: string; size: number; sha256: string; pages: number };
};

/**
 * Asks for the document of a thing, in the caller's transaction: it is made within seconds of the commit, and never without one. To
 * ask twice is to ask once. Nothing is waited for.
 *
 * @returns the identifier of the document
 */
export function requestDocument(scope: Pick<Scope, 'db' | 'team'>, { kind, about }: queries.About): string {
  const { db, team } = scope;
  const id = randomUUIDv7();
  db.send(queries.insertDocument, { team, id, kind, about });
  enqueue(scope, issueDocumentJob, { team, documentId: id });
  return id;
}

/** The document of a thing, if one was asked for. */
export async function issuedDocumentOf(
  scope: Pick<ReadScope, 'db' | 'team'>,
  { kind, about }: queries.About,
): Promise<IssuedDocument | undefined> {
  const row = await scope.db.first(queries.documentAbout, { team: scope.team, kind, about });
  if (!row) return undefined;
  const { id, status, issued_at: issuedAt, error, storage_key: key, size, sha256, pages } = row;
  return {
    id,
    status,
    ...(issuedAt === null ? {} : { issuedAt: new Date(issuedAt).toISOString() }),
    ...(error === null ? {} : { error }),
    ...(key === null || size === null || sha256 === null || pages === null ? {} : { file: { key, size, sha256, pages } }),
  };
}

/** Makes a document that has failed anew. Refuses with `document_not_failed`. */
export async function retryDocument(scope: Scope, { kind, about }: queries.About): Promise<void> {
  const { db, team } = scope;
  const row = await db.first(queries.retryDocument, { team, kind, about });
  if (!row)
    throw issuedDocumentProblems.document_not_failed('The document has not failed: there is nothing to make again. Read its status.');
  enqueue(scope, issueDocumentJob, { team, documentId: row.id });
  await recordAudit(scope, documentRetried, row.id, { kind, aboutId: about });
}

/**
 * Withdraws the document of a thing that is erased: its file goes, and its code says from now on that it was withdrawn. The
 * caller has seen to legal holds.
 */
export async function withdrawDocument(storage: Storage, scope: Scope, { kind, about }: queries.About): Promise<void> {
  const row = await scope.db.first(queries.withdrawDocument, { team: scope.team, kind, about });
  if (!row) return;
  const { storage_key: key } = row;
  // What is not removed now, because the process ends here, is removed by night.
  if (key !== null) scope.db.afterCommit(() => void storage.remove(key).catch(() => undefined));
  await recordAudit(scope, documentWithdrawn, row.id, { kind, aboutId: about });
}

/** What a code tells whoever shows it. `genuine` is said of a file alone, by its SHA-256. */
export type Verified = { status: 'issued' | 'withdrawn'; issuer: string; issuedAt: string; genuine?: boolean };

/**
 * Says what is known of the document with this code, and whether a file is that document, by its SHA-256 in hexadecimal. Refuses with
 * `verification_code_not_found`, and with `rate_limited` after 30 codes that are none, in an hour and from one address.
 */
export async function verifyDocument(
  { database, throttle }: { database: Database; throttle: Credentials['throttle'] },
  shown: { code: string; sha256?: string | undefined; ip: string | undefined },
): Promise<Verified> {
  const unknown = () =>
    issuedDocumentProblems.verification_code_not_found(
      'No document with this code was issued here. Compare it with the document, letter by letter.',
    );
  const code = readCode(shown.code);
  // What cannot be a code is a slip of the pen and no guess.
  if (code === undefined) throw unknown();
  const misses = throttle.verificationCode(shown.ip);
  await throttle.check(database.publicReader, misses);
  const row = await database.publicReader.first(queries.documentByCode, { codeHash: hashOfCode(code) });
  if (!row) {
    await throttle.count(database, misses);
    throw unknown();
  }
  const withdrawn = row.status === 'withdrawn';
  return {
    status: withdrawn ? 'withdrawn' : 'issued',
    issuer: row.issuer,
    issuedAt: new Date(row.issued_at).toISOString(),
    ...(shown.sha256 === undefined || withdrawn ? {} : { genuine: row.sha256 === shown.sha256.toLowerCase() }),
  };
}
