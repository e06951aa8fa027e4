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

/** The document of a source, with its file while it is ready. `error` has the cause of a failure. */
export type IssuedDocument = {
  id: string;
  status: queries.IssuedDocumentStatus;
  issuedAt?: string;
  error?: string;
  file?: { key: string; size: number; sha256: string; pages: number };
};

/**
 * Requests the document of a source in the transaction of the caller. A job creates it within seconds of the commit. Repeating the request has no
 * effect.
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

/** Returns the document of a source, if it was requested. */
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

/** Retries a failed document. Throws 409 `document_not_failed`. */
export async function retryDocument(scope: Scope, { kind, about }: queries.About): Promise<void> {
  const { db, team } = scope;
  const row = await db.first(queries.retryDocument, { team, kind, about });
  if (!row) throw issuedDocumentProblems.document_not_failed('Only a failed document can be created again. Read its status.');
  enqueue(scope, issueDocumentJob, { team, documentId: row.id });
  await recordAudit(scope, documentRetried, row.id, { kind, aboutId: about });
}

/** Withdraws the document of an erased source: deletes its file, and marks its code as withdrawn. The caller must have checked legal holds. */
export async function withdrawDocument(storage: Storage, scope: Scope, { kind, about }: queries.About): Promise<void> {
  const row = await scope.db.first(queries.withdrawDocument, { team: scope.team, kind, about });
  if (!row) return;
  const { storage_key: key } = row;
  // If the process ends before this, a nightly job removes the file.
  if (key !== null) scope.db.afterCommit(() => void storage.remove(key).catch(() => undefined));
  await recordAudit(scope, documentWithdrawn, row.id, { kind, aboutId: about });
}

/** The result of a verification. `genuine` is only present if a SHA-256 was sent. */
export type Verified = { status: 'issued' | 'withdrawn'; issuer: string; issuedAt: string; genuine?: boolean };

/**
 * Returns the document with this code, and whether the SHA-256 in hexadecimal is that of its file. Throws 404 `verification_code_not_found`,
 * and 429 `rate_limited` after 30 unknown codes in an hour from one IP address.
 */
export async function verifyDocument(
  { database, throttle }: { database: Database; throttle: Credentials['throttle'] },
  shown: { code: string; sha256?: string | undefined; ip: string | undefined },
): Promise<Verified> {
  const unknown = () =>
    issuedDocumentProblems.verification_code_not_found(
      'No document of this server has this code. Compare the code with the document, letter by letter.',
    );
  const code = readCode(shown.code);
  // A malformed code is a typing error and does not count as a guess.
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
