import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Reader } from '../../../platform/database/database.ts';
import { defineJob, type JobResult, type JobAttempt } from '../../../platform/jobs/job.ts';
import { keepFile } from '../../../platform/storage/store-file.ts';
import type { StoredFile } from '../../../platform/storage/storage.ts';
import type { Scope } from '../../../platform/scope.ts';
import { SealFailed, Unsealable } from '../sealing/index.ts';
import type { Working } from './context.ts';
import type { RequestDocument } from './documents.ts';
import { fail } from './request-transitions.ts';
import * as queries from './queries.ts';
import type { RequestRow } from './queries.ts';

/**
 * One day in milliseconds: how long a failed step is retried. The first wait is 5 s, and each further wait is three times as long, up to one hour.
 */
const dayMs = 86_400_000;
const waitMs = (tries: number): number => Math.min(3_600_000, 5_000 * 3 ** Math.min(tries, 10));

type Acting = Pick<Working, 'database' | 'scopeOf'>;

/** Runs `work` for a request under its lock, in a transaction of the system actor. Does nothing if the request is gone. */
export async function inRequest(
  { database, scopeOf }: Acting,
  team: string,
  id: string,
  work: (scope: Scope, request: RequestRow) => Promise<void>,
): Promise<void> {
  await database.inTeam(team, async (tx) => {
    const scope = scopeOf(tx, team, 'signatures');
    const request = await tx.locked(queries.lockRequest, { team, id }, () => tx.first(queries.findRequest, { team, id }));
    if (request) await work(scope, request);
  });
}

/** Defines a job that runs `work` for a request in one status. A failure is stored in the request, which decides about a retry. */
export const stepJob = (
  name: string,
  { status, step }: { status: RequestRow['status']; step: string },
  work: (deps: Working, request: RequestRow, at: { db: Reader; team: string; signal: AbortSignal }) => Promise<void>,
) =>
  defineJob(
    name,
    Type.Object({ request: Type.String() }),
    { timeout: 300, concurrency: 2, maxPerTeam: 1, counted: false },
    async (deps: Working, { request: id }, { team, signal }: JobAttempt): Promise<JobResult> => {
      if (team === undefined) return undefined;
      const db = deps.database.reader(team);
      const request = await db.first(queries.findRequest, { team, id });
      if (request?.status !== status) return undefined;
      try {
        await work(deps, request, { db, team, signal });
        return undefined;
      } catch (error) {
        return afterFailure(deps, { team, request, step }, error);
      }
    },
  );

const maxFileBytes = 256 * 1024 * 1024;

/**
 * Stores the file of one document of a request in its own transaction, so that a retry continues with the next document. `keep` returns whether it
 * stored a row. Removes the file if `keep` stored no row, or if the request no longer has the expected status.
 */
export async function keepFileOf(
  deps: Working,
  { team, request: { id, status } }: { team: string; request: Pick<RequestRow, 'id' | 'status'> },
  bytes: Uint8Array,
  keep: (scope: Scope, file: StoredFile) => Promise<boolean>,
): Promise<void> {
  await keepFile(deps.context.storage, { bytes: Readable.from([bytes]), maxBytes: maxFileBytes }, async (file) => {
    let kept = false;
    await inRequest(deps, team, id, async (scope, request) => {
      kept = request.status === status && (await keep(scope, file));
    });
    return kept;
  });
}

/** Runs `work` for one document. Its error names the document. */
export async function forDocument<T>({ place }: Pick<RequestDocument, 'place'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new DocumentFailed(place, error);
  }
}

class DocumentFailed extends Error {
  readonly place: number;
  constructor(place: number, cause: unknown) {
    super('A step failed for a document.', { cause });
    this.place = place;
  }
}

type Failed = { team: string; request: RequestRow; step: string };

/** Handles a failed step. Fails the request if a retry cannot help or after one day. Otherwise stores the error and the time of the next retry. */
async function afterFailure(deps: Working, { team, request, step }: Failed, failure: unknown): Promise<JobResult> {
  const { id, tries } = request;
  const [error, place] = failure instanceof DocumentFailed ? [failure.cause, failure.place] : [failure];
  const { at, said, reason } = errorDetails(error);
  const stood = request.step_since === null ? 0 : deps.clock().getTime() - Date.parse(request.step_since);
  if (reason === undefined && said === undefined)
    deps.log.error({ err: error, team, request: id, step }, 'A step of a signature request failed');
  const message = said ?? 'The service failed at this step. See the log of the service.';
  if (reason !== undefined || stood > dayMs) {
    await inRequest(
      deps,
      team,
      id,
      async (scope, current) => void (await fail(scope, current, { step: at ?? step, error: reason ?? message, place })),
    );
    return undefined;
  }
  const retryAt = new Date(deps.clock().getTime() + waitMs(tries));
  await inRequest(deps, team, id, async (scope) =>
    scope.db.send(queries.recordFailure, { team, id, step: at ?? step, error: message, retryAt, at: scope.now }),
  );
  return { later: retryAt };
}

/** Returns the public details of an error of the sealing: its message, and its reason if a retry cannot help. Other errors have none. */
function errorDetails(error: unknown): { at?: string; said?: string; reason?: string } {
  if (error instanceof Unsealable) return { reason: error.reason, said: error.message };
  if (error instanceof SealFailed) return { at: error.step, said: error.message };
  return {};
}
