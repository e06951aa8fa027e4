import { keepFile } from '../../platform/storage/store-file.ts';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Transaction } from '../../platform/database/database.ts';
import { defineJob, enqueue, PermanentFailure, type JobAttempt } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type Typeset, type Typesetter, TypesettingError } from '../../platform/typesetting/typesetter.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../platform/system-scope.ts';
import { hashOfCode, newCode } from './codes.ts';
import { documentFailed, documentIssued, documentWithdrawn } from './events.ts';
import { type Kinds, kindOf } from './kinds.ts';
import { failedMail } from './mails.ts';
import * as queries from './queries.ts';

export type IssuingDependencies = SystemDependencies & {
  storage: Storage;
  typesetter: Typesetter;
  kinds: Kinds;
  /** The address under which a document with this code is looked up. */
  verifyUrl: (code: string) => string;
};

const requestId = 'rendition';
const maxBytes = 64 * 1024 * 1024;
const data = Type.Object({ team: Type.String(), documentId: Type.String() });
type Data = { team: string; documentId: string };

/**
 * Makes a document. Done again after a crash: the document that is there when the transaction at the end commits is the only
 * one, and a file without a row is removed by night.
 */
export const issueDocumentJob = defineJob(
  'rendition',
  data,
  {
    retries: 2,
    backoff: { first: 2, factor: 5, most: 60 },
    timeout: 90,
    concurrency: 4,
    // As many as there are things to make them of, which are counted themselves.
    counted: false,
    onDiscard: async (db: Transaction, { team, documentId }, reason) => enqueue({ db, team }, failureJob, { team, documentId, reason }),
  },
  async (deps: IssuingDependencies, { team, documentId: id }: Data, { signal }: JobAttempt) => {
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

/** The thing is gone, and nobody said so. */
async function withdraw(deps: IssuingDependencies, team: string, id: string, { kind, about }: queries.About): Promise<void> {
  await inTeamAsSystem(deps, team, requestId, async (scope) => {
    const row = await scope.db.first(queries.withdrawDocument, { team, kind, about });
    if (row) await recordAudit(scope, documentWithdrawn, id, { kind, aboutId: about });
  });
}

/** A template that is wrong or too long stays so. */
async function set(typesetter: Typesetter, manuscript: Parameters<Typesetter['typeset']>[0], signal: AbortSignal): Promise<Typeset> {
  try {
    return await typesetter.typeset(manuscript, signal);
  } catch (error) {
    if (error instanceof TypesettingError && (error.reason === 'template' || error.reason === 'pages'))
      throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
}

/** Notes that a document could not be made, and tells whoever is to know. */
export const failureJob = defineJob(
  'rendition-failure',
  Type.Object({ ...data.properties, reason: Type.String() }),
  { counted: false },
  async (deps: IssuingDependencies, { team, documentId: id, reason }: Data & { reason: string }) => {
    await inTeamAsSystem(deps, team, requestId, async (scope) => {
      const about = await scope.db.first(queries.failDocument, { team, id, error: reason });
      if (!about) return;
      await recordAudit(scope, documentFailed, id, { kind: about.kind, aboutId: about.about });
      const recipient = await deps.kinds.get(about.kind)?.failed?.(scope, about.about);
      if (recipient) await queueMail(scope.db, { ...failedMail(recipient), to: recipient.email, team, budgeted: true });
    });
  },
);
