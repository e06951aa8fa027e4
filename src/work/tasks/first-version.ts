import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { taskVersionTaken } from './events.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { takeFirstVersion } from './workflow-queries.ts';

type First = { workflow: string; document: string; version: number; sha256: string };

/**
 * The document of a workflow had no file and has its first version. Decisions that are asked for and that nobody has taken any part of
 * are about it from here on, and their tasks are another version. Returns the steps that they are of; the caller holds the
 * workflow's lock.
 */
export async function tasksTakeFirstVersion(scope: Scope, { workflow, document, version, sha256 }: First): Promise<Set<string>> {
  const taken = await scope.db.all(takeFirstVersion, { team: scope.team, workflow, document, version, sha256, at: scope.now });
  await pipelined(
    taken.map(
      ({ id }) =>
        () =>
          recordAudit(scope, taskVersionTaken, id, { documentVersion: version, documentSha256: sha256 }),
    ),
  );
  return new Set(taken.map(({ step_id }) => step_id));
}
