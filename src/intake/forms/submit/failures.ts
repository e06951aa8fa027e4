import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { submissionFailed } from './events.ts';
import * as queries from './queries.ts';

type Failed = { id: string; interfaceId: string; failed: readonly { kind: string; code: string | null }[] };

/** Marks a submission as failed and records an event for each failed effect. */
export async function recordFailures(scope: Scope, { id, interfaceId, failed }: Failed): Promise<void> {
  if (failed.length === 0) return;
  scope.db.send(queries.setSubmissionStatus, { team: scope.team, id, status: 'failed', at: scope.now });
  for (const { kind, code } of failed) await record(scope, submissionFailed, id, { interfaceId, kind, code: code ?? '' });
}
