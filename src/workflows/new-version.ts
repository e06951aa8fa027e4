import { cancelTasks, isDecision, onNewVersionOf } from '#tasks';
import { recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { advance } from './advance.ts';
import { reopenDocument } from './document-status.ts';
import { writeSteps } from './ending.ts';
import { stepsRestarted } from './events.ts';
import { holdWorkflow } from './lookup.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import { resetSteps } from './reject.ts';
import { type Node, withDependents } from './steps.ts';

type Step = Node & { type: string; config: Record<string, unknown> };

/**
 * The steps that begin again when the document gets a newer version: decisions that are open or were taken on the version
 * before, and what followed from them. What a completed signature has settled stays.
 */
export function restarted(steps: readonly Step[]): Set<string> {
  const settled = (step: Step) =>
    steps.some((other) => other.type === 'signature' && other.status === 'completed' && withDependents(steps, step.id).has(other.id));
  const again = steps.filter(
    (step) =>
      (step.status === 'active' || step.status === 'completed') &&
      isDecision(step.type) &&
      onNewVersionOf(step.type, step.config.onNewVersion) === 'restart' &&
      !settled(step),
  );
  return new Set(again.flatMap((step) => [...withDependents(steps, step.id)]));
}

/**
 * What a newer version of a document means for the workflows under way that are about it: decisions on the version before
 * begin again, unless their steps say otherwise. Errors: 409 `document_under_decision` when a step refuses new versions.
 */
export async function documentHasNewVersion(scope: Scope, document: string, version: { version: number; sha256: string }): Promise<void> {
  const running = await scope.db.all(queries.runningAbout, { team: scope.team, document });
  if (running.length === 0) await reopenDocument(scope, document);
  for (const { id } of running) {
    const row = await holdWorkflow(scope, id);
    if (row?.status === 'active' || row?.status === 'paused') await restart(scope, row, version);
  }
}

async function restart(scope: Scope, row: queries.WorkflowRow, version: { version: number; sha256: string }): Promise<void> {
  const refusing = row.steps.find((step) => step.config.onNewVersion === 'refuse' && step.status !== 'skipped');
  if (refusing !== undefined)
    throw workflowProblems.document_under_decision(
      `The workflow “${row.name}” decides on this document, and its step “${refusing.id}” takes no new version meanwhile. Wait until it has ended, or cancel it.`,
    );
  const reached = restarted(row.steps);
  const again = new Set(row.steps.filter(({ id, status }) => reached.has(id) && status !== 'pending').map(({ id }) => id));
  if (again.size === 0) return;
  resetSteps(row, again);
  await Promise.all([
    cancelTasks(scope, row.id, { steps: [...again], reason: 'document_changed' }),
    recordAct(scope, stepsRestarted, row.id, { steps: [...again], documentVersion: version.version, documentSha256: version.sha256 }),
  ]);
  if (row.status === 'active') await advance(scope, row, again);
  else
    await writeSteps(
      scope,
      row,
      row.steps.filter(({ id }) => again.has(id)),
    );
}
