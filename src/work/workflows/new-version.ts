import { fullNameOf } from '#teams';
import { isDecision, onNewVersionOf, tasksTakeFirstVersion } from '#tasks';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import { isAbout, sharedDocument } from './documents.ts';
import { asksRound } from './approval-config.ts';
import { cancelWork } from './approval-steps.ts';
import { reopenDocument } from './document-status.ts';
import { writeSteps } from './ending.ts';
import { stepsRestarted } from './events.ts';
import { loadWorkflowForUpdate, seenWorkflow } from './lookup.ts';
import { workflowProblems } from './problems.ts';
import * as documentQueries from './document-queries.ts';
import type * as queries from './queries.ts';
import { resetSteps } from './reject.ts';
import { type Node, withDependents } from './steps.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

type DecidingStep = Node & { type: string; config: Record<string, unknown> };

/**
 * Returns the steps that restart when the document gets a newer version: open decisions, decisions on the previous version, and their dependents.
 * Decisions before a completed signature stay. Decisions in `upToDate` also stay, because they are already about the new version. A step with `refuse` also
 * restarts, but only if its workflow may not reject versions. `concerned`: whether a step is about the document.
 */
export function restarted(
  steps: readonly DecidingStep[],
  upToDate: ReadonlySet<string>,
  concerned: (step: DecidingStep) => boolean = () => true,
): Set<string> {
  const settled = (step: DecidingStep) =>
    steps.some(
      (other) =>
        other.type === 'signature' && other.status === 'completed' && concerned(other) && withDependents(steps, step.id).has(other.id),
    );
  const again = steps.filter(
    (step) =>
      (step.status === 'active' || step.status === 'completed') &&
      isDecision(step.type) &&
      concerned(step) &&
      !upToDate.has(step.id) &&
      onNewVersionOf(step.type, step.config.onNewVersion) !== 'ignore' &&
      !settled(step),
  );
  return new Set(again.flatMap((step) => [...withDependents(steps, step.id)]));
}

/**
 * Applies a newer version of a document to its workflows in progress: decisions on the previous version restart, unless their steps say otherwise.
 * The first version of a document without a file does not restart open decisions: from now on they are about that version. Errors: 409
 * `document_under_decision` when a step rejects new versions.
 */
export async function documentHasNewVersion(scope: Scope, document: string, version: { version: number; sha256: string }): Promise<void> {
  const running = await scope.db.all(documentQueries.runningAbout, { team: scope.team, document });
  if (!running.some((one) => one.leads)) await reopenDocument(scope, document);
  for (const { id } of running) {
    const row = await loadWorkflowForUpdate(scope, id);
    if (row?.status === 'active' || row?.status === 'paused') await restart(scope, row, { document, ...version });
  }
  await scope.db.all(documentQueries.forgetApprovals, { team: scope.team, document });
}

/**
 * Returns the error for a rejected version. It names the workflow if the actor may see it. Otherwise it gives the type of the step and the persons to
 * ask.
 */
async function underDecision(scope: Scope, row: queries.WorkflowRow, step: string) {
  const whole = 'Wait until it has ended, or cancel it.';
  if (await seenWorkflow(scope, row.id))
    return workflowProblems.document_under_decision(
      `The workflow “${row.name}” decides on this document, and its step “${step}” blocks new versions. ${whole}`,
    );
  const creator = row.created_by_type === 'user' ? await scope.db.first(fullNameOf, { team: scope.team, id: row.created_by }) : undefined;
  return workflowProblems.document_under_decision(
    `A workflow of the type “${row.type}” decides on this document and blocks new versions. ` +
      `${creator === undefined ? 'Ask the owner of the document' : `Ask ${creator.name}, who created it, the owner of the document`} or an administrator to end it.`,
  );
}

type NewDocumentVersion = { document: string; version: number; sha256: string };

async function restart(scope: Scope, row: queries.WorkflowRow, version: NewDocumentVersion): Promise<void> {
  const concerned = (step: DecidingStep) => isAbout(row, step, version.document);
  const refusing = row.steps.find((step) => step.config.onNewVersion === 'refuse' && step.status !== 'skipped' && concerned(step));
  const document = row.documents.find(({ linked_document_id: id }) => id === version.document);
  const refuses = refusing !== undefined && document?.leads && (await sharedDocument(scope, document))?.referred.gives === 'write';
  const first = version.version === 1;
  if (refuses && !first) throw await underDecision(scope, row, refusing.id);
  const taken = first ? await tasksTakeFirstVersion(scope, { workflow: row.id, ...version }) : new Set<string>();
  // A round keeps the versions that it began with.
  const upToDate = new Set(row.steps.flatMap((step) => (taken.has(step.id) && !asksRound(step) ? [step.id] : [])));
  const reached = restarted(row.steps, upToDate, concerned);
  const again = new Set(row.steps.filter(({ id, status }) => reached.has(id) && status !== 'pending').map(({ id }) => id));
  if (refuses && again.size > 0) throw await underDecision(scope, row, refusing.id);
  if (again.size === 0) return;
  resetSteps(row, again);
  await pipelined([
    () => cancelWork(scope, row, { steps: [...again], reason: 'document_changed' }),
    () =>
      recordAudit(scope, stepsRestarted, row.id, { steps: [...again], documentVersion: version.version, documentSha256: version.sha256 }),
  ]);
  if (row.status === 'active') await advance(scope, row, again);
  else
    await writeSteps(
      scope,
      row,
      row.steps.filter(({ id }) => again.has(id)),
    );
}
