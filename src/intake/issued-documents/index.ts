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

/** What domains get that have things of which documents are made. */
export type IssuedDocuments = {
  /** Declares a kind of document, when the domain is opened. */
  renders(kind: IssuedDocumentKind): void;
  /** Sends the file of a document that is ready, as a download of this name. Whoever calls it has seen to who may read it. */
  send(request: FastifyRequest, reply: FastifyReply, file: NonNullable<IssuedDocument['file']>, fileName: string): Promise<FastifyReply>;
  /** Withdraws the document of a thing that is erased, in the transaction that erases it and before it locks the thing. */
  withdraw(scope: Scope, of: About): Promise<void>;
  /** What is known of a code, and whether a file of this SHA-256 is the document: for the page that says so. */
  verify(shown: { code: string; sha256?: string; ip: string | undefined }): Promise<Verified>;
};

/**
 * Renditions: the PDF that is made of what is kept here, and the code that says whether a copy is genuine. What it is made of,
 * and who may read it, is for the domain that has the thing.
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
        if (kinds.has(kind.kind)) throw new Error(`the kind ${kind.kind} is declared twice`);
        kinds.set(kind.kind, kind);
      },
      send: (request, reply, { key, size, sha256 }, fileName) =>
        // Who asks for no bytes reads none. What somebody has answered stays on no disk that they did not choose.
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
