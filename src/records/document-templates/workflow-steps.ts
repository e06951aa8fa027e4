import { Type } from 'typebox';
import { fileIsKept, lockCopyBehindBarrier } from '#documents';
import { makingListeners, stepMade, stepNotMade, type StepRun, type StepToMake, stepToMake } from '#workflows';
import { databaseProblem, isDatabaseUnavailable } from '../../platform/database/errors.ts';
import { defineTeamJob, enqueue, type TeamDependencies } from '../../platform/jobs/job.ts';
import { Problem } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { nameFrom } from '../../platform/text.ts';
import { readableTemplate } from './access.ts';
import { makeDocument, type Making, type Prepared, prepareDocument } from './make.ts';
import { templateProblems } from './problems.ts';
import type { DocumentBody } from './schemas.ts';

/* Workflow steps that make a document from a template. */

/** Thrown to discard a document whose step no longer waits for it. */
class StaleStep extends Error {}

/**
 * Makes the document of a step with the current rights of the creator of the workflow. The document and the end of the step are one transaction, so each
 * run of a step makes one document. A rejection fails the step.
 */
export const makeStepJob = defineTeamJob(
  'workflow-document-step',
  Type.Object({ workflow: Type.String(), step: Type.String(), begun: Type.String() }),
  { retries: 5, concurrency: 2, maxPerTeam: 1, timeout: 120, counted: false },
  async (inTeam, run, deps: TeamDependencies & Making) => {
    const { found, team, now } = await inTeam(async (scope) => ({ found: await stepToMake(scope, run), team: scope.team, now: scope.now }));
    if (!found) return;
    const reading = { db: deps.database.reader(team), team, actor: found.actor, now, requestId: 'workflow-document-step' };
    let prepared: Prepared | undefined;
    let kept = false;
    try {
      const body = bodyOf(found);
      const ready = await prepareDocument(deps, reading, String(found.config.templateId), body);
      prepared = ready;
      await inTeam((scope) => finish(scope, run, found, ready, body));
      kept = true;
    } catch (error) {
      const key = prepared?.upload.key;
      // A file without a document is harmless, but not a document without its file. In doubt the file stays.
      if (isDatabaseUnavailable(error) && key !== undefined) kept = await fileIsKept(reading, key).catch(() => true);
      if (error instanceof StaleStep) return;
      const problem = rejectionOf(error);
      if (problem === undefined) throw error;
      await inTeam((scope) => stepNotMade(scope, run, problem));
    } finally {
      if (!kept && prepared !== undefined) await deps.storage.remove(prepared.upload.key).catch(() => undefined);
    }
  },
);

/** Returns a rejection that a retry cannot change; undefined for other errors, and while the renderer is busy. */
function rejectionOf(error: unknown): Problem | undefined {
  if (isDatabaseUnavailable(error)) return undefined;
  const problem = error instanceof Problem ? error : databaseProblem(error);
  return problem !== undefined && problem.status < 500 && problem.status !== 429 ? problem : undefined;
}

function bodyOf({ config, data, title }: StepToMake): DocumentBody {
  const named = typeof title === 'string' ? nameFrom(title) : undefined;
  return {
    data,
    ...(named === undefined ? {} : { title: named }),
    ...(typeof config.folderId === 'string' ? { folderId: config.folderId } : {}),
  };
}

async function finish(scope: Scope, run: StepRun, { actor, documents }: StepToMake, prepared: Prepared, body: DocumentBody): Promise<void> {
  const acting: Scope = { ...scope, actor, recordedAs: scope.actor };
  for (const document of documents)
    if (!(await lockCopyBehindBarrier(acting, document, body.folderId)))
      throw templateProblems.document_outside_barrier(
        'A barrier protects a document of the workflow. Set `folderId` to a folder in the same barrier.',
      );
  const { value } = await makeDocument(acting, prepared, body);
  if (!(await stepMade(scope, run, { outcome: value.id, document: { id: value.id, by: actor.id } }))) throw new StaleStep();
}

/** Runs the steps that make a document, and checks their values against the template. */
export const documentStepListeners = makingListeners('document', {
  scope: 'documents:write',
  async target(scope, { templateId }) {
    try {
      const { template } = await readableTemplate(scope, String(templateId));
      return { schema: template.schema, called: 'the template' };
    } catch (error) {
      if (error instanceof Problem && error.status === 404)
        return { member: 'config/templateId', reason: 'does not name a document template that you may use' };
      throw error;
    }
  },
  run: ({ db, team }, run) => enqueue({ db, team }, makeStepJob, run),
});
