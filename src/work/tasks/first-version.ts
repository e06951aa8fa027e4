import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { taskVersionTaken } from './events.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { takeFirstVersion } from './workflow-queries.ts';

type First = { workflow: string; document: string; version: number; sha256: string };

/**
 * Runs when the document of a workflow gets its first version. The open decisions of the workflow then apply to this version. If a task of a decision
 * has already ended, that decision stays without a version. Increases the version of the changed tasks and returns their steps. The caller must have
 * locked the workflow.
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
