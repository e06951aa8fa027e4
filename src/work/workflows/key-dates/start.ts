import { Type } from 'typebox';
import { actorToday, documentReadableBy } from '#documents';
import { databaseProblem, isDatabaseUnavailable } from '../../../platform/database/errors.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { Problem } from '../../../platform/problems.ts';
import { type Actor, isTeamManager, type Scope } from '../../../platform/scope.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../../platform/system-scope.ts';
import { dateStartFailed } from '../events.ts';
import { createFromTemplate, type TemplateState } from '../template-service.ts';
import { startWorkflow } from '../transitions.ts';
import * as queries from './queries.ts';
import { firstCharacters } from '../../../platform/text.ts';

type Dated = { document: string; kind: string; date: string };

/** Thrown if a date started no workflow. The journal has the code. */
class NotStarted extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Starts the workflow for a date of a document once, with the current rights of the user who set the template. */
export const dateWorkflowJob = defineJob(
  'date-workflow',
  Type.Object({ document: Type.String(), kind: Type.String(), date: Type.String() }),
  {},
  async (deps: SystemDependencies, date, { team, id }) => {
    if (team === undefined) return;
    await inTeamAsSystem(deps, team, `job ${id}`, (scope) => start(scope, date));
  },
);

async function start(scope: Scope, date: Dated): Promise<void> {
  const { db, team } = scope;
  const of = { team, document: date.document };
  const dated = { ...of, date: `${date.kind} ${date.date}` };
  const named = await db.locked(queries.lockStart, of, () => db.first(queries.templateToStart, dated));
  if (!named) return;
  try {
    await db.attempt((inner) => startBy({ ...scope, db: inner }, named, date));
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    const refusal = error instanceof NotStarted || error instanceof Problem ? error : databaseProblem(error);
    if (!refusal) throw error;
    await recordAudit(scope, dateStartFailed, date.document, { template: named.template, date: date.date, code: refusal.code });
  }
  db.send(queries.recordStarted, dated);
}

async function startBy(scope: Scope, named: queries.DateTemplate, { document, date }: Dated): Promise<void> {
  const { set_by: by } = named;
  const templateActor = by === null ? undefined : await actorToday(scope, by);
  if (by === null || !templateActor) throw new NotStarted('forbidden');
  if ('scopes' in templateActor && !templateActor.scopes.has('workflows:write')) throw new NotStarted('insufficient_scope');
  const readable = await documentReadableBy(scope, by, document);
  if (!readable) throw new NotStarted('document_not_readable');
  const name = `${firstCharacters(readable.title, 200)}, ${date}`;
  const acting: Scope = { ...scope, actor: templateActor, recordedAs: scope.actor };
  const accept = (state: TemplateState) => requireUnchanged(scope, { named, templateActor }, state);
  const { value } = await createFromTemplate(acting, named.template, { documentId: document, name }, accept);
  await startWorkflow(acting, value.id);
}

/**
 * Rejects a template that another user changed since it was set, because the change would run with the rights of the user who set it. Changes by
 * owner and administrators are accepted.
 */
async function requireUnchanged(
  scope: Scope,
  { named, templateActor }: { named: queries.DateTemplate; templateActor: Actor },
  { hash, stepsBy }: TemplateState,
): Promise<void> {
  if (named.hash === hash || (stepsBy !== null && 'id' in templateActor && templateActor.id === stepsBy)) return;
  const changer = stepsBy === null ? undefined : await actorToday(scope, stepsBy);
  if (!changer || !isTeamManager(changer)) throw new NotStarted('template_changed');
}
