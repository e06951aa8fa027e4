import type { Database } from '../src/platform/database/database.ts';
import { openJob } from '../src/platform/jobs/job.ts';
import type { Jobs } from '../src/platform/jobs/jobs.ts';
import type { Storage } from '../src/platform/storage/storage.ts';
import type { Manuscript, Typesetter } from '../src/platform/typesetting/typesetter.ts';
import { failureJob, type IssuingDependencies, issueDocumentJob } from '../src/intake/issued-documents/jobs.ts';
import type { IssuedDocumentKind } from '../src/intake/issued-documents/kinds.ts';

/** The dependencies of a node that generates documents, besides its database. */
export type IssueDependencies = { storage: Storage; typesetter: Typesetter; kinds: readonly IssuedDocumentKind[] };

export function depsOf(database: Database, { storage, typesetter, kinds }: IssueDependencies): IssuingDependencies {
  return {
    database,
    storage,
    typesetter,
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
    listeners: [],
    clock: () => new Date(),
    verifyUrl: (code) => `https://chancery.example/verify/${code}`,
  };
}

/** Declares the jobs that generate documents, for `startJobNode`. */
export const issuesDocuments = (dependencies: IssueDependencies) => (jobs: Jobs, database: Database) => {
  const deps = depsOf(database, dependencies);
  for (const { job, deps: own } of [openJob(issueDocumentJob, deps), openJob(failureJob, deps)]) jobs.add(job, own);
};

/** Returns the source of a document with one text and its code. */
export const saying = (text: string, code: string, before = ''): Manuscript => ({
  files: { 'main.typ': `${before}#let data = json(bytes(sys.inputs.data))\n#data.text\\ #data.code` },
  data: { text, code },
});
