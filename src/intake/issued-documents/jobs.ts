import { keepFile } from '../../platform/storage/store-file.ts';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Transaction } from '../../platform/database/database.ts';
import { defineJob, enqueue, PermanentFailure, type JobAttempt } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type Typeset, type Typesetter, TypesettingError } from '../../platform/typesetting/typesetter.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../platform/system-scope.ts';
import { hashOfCode, newCode } from './codes.ts';
import { documentFailed, documentIssued, documentWithdrawn } from './events.ts';
import { type Kinds, kindOf } from './kinds.ts';
import * as queries from './queries.ts';

export type IssuingDependencies = SystemDependencies & {
  storage: Storage;
  typesetter: Typesetter;
  kinds: Kinds;
  /** Returns the URL to verify the document with this code. */
  verifyUrl: (code: string) => string;
};

const requestId = 'issued-document';
const maxBytes = 64 * 1024 * 1024;
const data = Type.Object({ team: Type.String(), documentId: Type.String() });
type IssueJobData = { team: string; documentId: string };

/**
 * Issues a document. A retry after a crash is safe: only the document of the committed transaction is valid, and a nightly job removes files without
 * a row.
 */
export const issueDocumentJob = defineJob(
  'issued-document',
  data,
  {
    retries: 2,
    backoff: { first: 2, factor: 5, most: 60 },
    timeout: 90,
    concurrency: 4,
    // Not counted, because there are as many jobs as sources, which count against quotas themselves.
    counted: false,
    onDiscard: async (db: Transaction, { team, documentId }, reason) => enqueue({ db, team }, failureJob, { team, documentId, reason }),
  },
  async (deps: IssuingDependencies, { team, documentId: id }: IssueJobData, { signal }: JobAttempt) => {
    const { database, storage, kinds } = deps;
    const reader = database.reader(team);
    const wanted = await reader.first(queries.pendingDocument, { team, id });
    if (!wanted) return;
    const kind = kindOf(kinds, wanted);
    const code = newCode();
    const read = { db: reader, team, actor: { type: 'system' }, now: deps.clock(), requestId } as const;
    const manuscript = await kind.manuscript(read, wanted.about, { code, url: deps.verifyUrl(code) });
    if (!manuscript) return withdraw(deps, team, id, wanted);
    const { pdf, pages } = await set(deps.typesetter, manuscript, signal);
    await keepFile(storage, { bytes: Readable.from([pdf]), maxBytes }, (file) =>
      inTeamAsSystem(deps, team, requestId, async (scope) => {
        const row = await scope.db.first(queries.issueDocument, { team, id, codeHash: hashOfCode(code), now: scope.now });
        if (!row) return false;
        scope.db.send(queries.insertFile, { team, id, pages, ...file });
        await recordAudit(scope, documentIssued, id, { kind: wanted.kind, aboutId: wanted.about, sha256: file.sha256, pages });
        await kind.issued?.(scope, wanted.about, { id, pages, sha256: file.sha256, size: file.size, issuedAt: scope.now });
        return true;
      }),
    );
  },
);

/** Withdraws a document whose source was deleted without a call of `withdraw`. */
async function withdraw(deps: IssuingDependencies, team: string, id: string, { kind, about }: queries.About): Promise<void> {
  await inTeamAsSystem(deps, team, requestId, async (scope) => {
    const row = await scope.db.first(queries.withdrawDocument, { team, kind, about });
    if (row) await recordAudit(scope, documentWithdrawn, id, { kind, aboutId: about });
  });
}

/** Typesets the document. Template errors and documents with too many pages are permanent failures. */
async function set(typesetter: Typesetter, manuscript: Parameters<Typesetter['typeset']>[0], signal: AbortSignal): Promise<Typeset> {
  try {
    return await typesetter.typeset(manuscript, signal);
  } catch (error) {
    if (error instanceof TypesettingError && (error.reason === 'template' || error.reason === 'pages'))
      throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
}

/** Records the failure of a document. */
export const failureJob = defineJob(
  'issued-document-failure',
  Type.Object({ ...data.properties, reason: Type.String() }),
  { counted: false },
  async (deps: IssuingDependencies, { team, documentId: id, reason }: IssueJobData & { reason: string }) => {
    await inTeamAsSystem(deps, team, requestId, async (scope) => {
      const about = await scope.db.first(queries.failDocument, { team, id, error: reason });
      if (!about) return;
      await recordAudit(scope, documentFailed, id, { kind: about.kind, aboutId: about.about });
      await deps.kinds.get(about.kind)?.failed?.(scope, about.about);
    });
  },
);
