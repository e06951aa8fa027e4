import type { Scope } from '../../platform/scope.ts';
import { lockJob } from './queries.ts';
import * as queries from './run-queries.ts';

/** A run under its lock, and that of its job before. */
export function lockRun({ db, team }: Scope, job: string | null, id: string) {
  const run = () => db.first(queries.lockRun, { team, id });
  return job === null ? run() : db.locked(lockJob, { team, id: job }, run);
}
