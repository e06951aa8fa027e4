import { type Credentials, domain as credentials } from '#credentials';
import { domain as teams } from '#teams';
import { openJob } from '../../platform/jobs/job.ts';
import { defineDomain } from '../../platform/domain.ts';
import type { Scope } from '../../platform/scope.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendContent } from '../../platform/http/downloads.ts';
import { failureJob, issueDocumentJob } from './jobs.ts';
import type { IssuedDocumentKind } from './kinds.ts';
import type { About } from './queries.ts';
import { issuedDocumentRoutes } from './routes.ts';
import { type IssuedDocument, type Verified, verifyDocument, withdrawDocument } from './service.ts';
import { issuedDocumentTables } from './tables.ts';

/** The form for domains that issue documents. */
export type IssuedDocuments = {
  /** Registers a kind of document. Call it when the domain is opened. */
  renders(kind: IssuedDocumentKind): void;
  /** Sends the file of a ready document as a download with this name. The caller must have checked the access. */
  send(request: FastifyRequest, reply: FastifyReply, file: NonNullable<IssuedDocument['file']>, fileName: string): Promise<FastifyReply>;
  /** Withdraws the document of an erased source, in the transaction of the erasure. Call it before that transaction locks the source. */
  withdraw(scope: Scope, of: About): Promise<void>;
  /** Returns the document of a code, and whether a file with this SHA-256 is that document. The verification page uses it. */
  verify(shown: { code: string; sha256?: string; ip: string | undefined }): Promise<Verified>;
};

/**
 * Issued documents: PDF files with a code that proves whether a copy is authentic. The domain of the source provides the contents
 * and decides about access.
 */
export const domain = defineDomain({
  name: 'issued-documents',
  uses: { teams, credentials },
  tables: issuedDocumentTables,
  description: () => import('./description.ts'),
  open(platform, { credentials: { throttle } }: { credentials: Credentials }) {
    const { config, database, storage, listeners, clock, typesetter } = platform;
    const kinds = new Map<string, IssuedDocumentKind>();
    const deps = {
      database,
      storage,
      listeners,
      clock,
      typesetter,
      kinds,
      verifyUrl: (code: string) => `${config.BASE_URL}/verify/${code}`,
    };
    const exports: IssuedDocuments = {
      renders(kind) {
        if (kinds.has(kind.kind)) throw new Error(`the document kind ${kind.kind} is registered twice`);
        kinds.set(kind.kind, kind);
      },
      send: (request, reply, { key, size, sha256 }, fileName) =>
        // HEAD needs no file contents. Answers must not be stored in caches (`no-store`).
        sendContent(
          request,
          reply,
          request.method === 'HEAD' ? undefined : storage,
          { storage_key: key, file_name: fileName, media_type: 'application/pdf', size, sha256 },
          'no-store',
        ),
      withdraw: (scope, of) => withdrawDocument(storage, scope, of),
      verify: (shown) => verifyDocument({ database, throttle }, shown),
    };
    return {
      exports,
      routes: (app) => issuedDocumentRoutes(app, { database, throttle }),
      jobs: [openJob(issueDocumentJob, deps), openJob(failureJob, deps)],
    };
  },
});

export { type DocumentAnswer, type AnswersDocument, answersManuscript } from './answers-document.ts';
export type { IssuedDocumentKind } from './kinds.ts';
export { type IssuedDocument, issuedDocumentOf, requestDocument, retryDocument } from './service.ts';
