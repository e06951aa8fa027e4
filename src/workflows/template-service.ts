import { hashOfJson } from '../platform/canonical-json.ts';
import type { ListPage } from '../platform/database/json-page.ts';
import { changesBetween } from '../platform/journal/changes.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import type { VersionCheck, Versioned } from '../platform/versioned.ts';
import { requireAgents } from './agent-steps.ts';
import { templateCreated, templateDeleted, templateUpdated } from './events.ts';
import * as lists from './list-queries.ts';
import { mayChangeTemplate, mayMake } from './policy.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { ListedTemplate, StepInput, Workflow } from './schemas.ts';
import { createWorkflow } from './service.ts';
import { stepRows } from './step-rows.ts';
import { builtinTemplates, type Template } from './templates.ts';
import { requireEndpoints } from './webhook-steps.ts';

const mostTemplates = 200;

const unknown = (name: string) =>
  workflowProblems.template_not_found(
    `There is no template “${name.slice(0, 100)}”. The names are listed at /api/v1/workflows/templates/available.`,
  );

function present(row: queries.TemplateRow): Versioned<ListedTemplate> {
  const value = {
    name: row.name,
    description: row.description,
    source: 'team' as const,
    steps: row.steps,
    ...(row.created_by === null ? {} : { createdBy: row.created_by, createdByType: row.created_by_type }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

const builtinText = builtinTemplates.map((template) => JSON.stringify({ ...template, source: 'builtin' })).join(',');

/** The built-in templates and the team's own, by name; a page that begins `after` a name has only those that follow. */
export async function listTemplates(scope: ReadScope, page: { after: string; limit: number }): Promise<ListPage> {
  const own = (await scope.db.first(lists.listTemplates, { team: scope.team, ...page })) ?? { body: '[]', last: null, more: false };
  if (page.after !== '') return own;
  return { ...own, body: `[${builtinText}${own.body === '[]' ? '' : ','}${own.body.slice(1)}` };
}

/** One template, built in or of the team's own. Errors: 404 `template_not_found`. */
export async function getTemplate(scope: ReadScope, name: string): Promise<Versioned<ListedTemplate>> {
  const builtin = builtinTemplates.find((template) => template.name === name);
  if (builtin) return { value: { ...builtin, source: 'builtin' }, version: undefined };
  return present(await ownTemplate(scope, name));
}

async function ownTemplate(scope: ReadScope | Scope, name: string): Promise<queries.TemplateRow> {
  const row = name.includes('\0') ? undefined : await scope.db.first(queries.findTemplate, { team: scope.team, name });
  if (!row) throw unknown(name);
  return row;
}

/** What a template of the team's own says at this moment: a hash of its steps, and who has said last what they are. */
export type TemplateState = { hash: string; stepsBy: string | null };
const stateOf = ({ steps, steps_by: stepsBy }: queries.TemplateRow): TemplateState => ({ hash: hashOfJson(steps), stepsBy });

/** The same by its name; undefined for a built-in one, which nobody changes, and where there is none. */
export async function stateOfTemplate(scope: ReadScope | Scope, name: string): Promise<TemplateState | undefined> {
  const row = isBuiltin(name) || name.includes('\0') ? undefined : await scope.db.first(queries.findTemplate, { team: scope.team, name });
  return row && stateOf(row);
}

const isBuiltin = (name: string) => builtinTemplates.some((template) => template.name === name);

async function findTemplate(scope: Scope, name: string, accept: AcceptTemplate): Promise<Template> {
  const builtin = builtinTemplates.find((template) => template.name === name);
  if (builtin) return builtin;
  const row = await ownTemplate(scope, name);
  await accept(stateOf(row));
  return row;
}

/** Refuses a template of the team's own as it is now, by throwing. */
type AcceptTemplate = (state: TemplateState) => Promise<void> | void;

type FromTemplate = {
  documentId: string;
  name?: string | undefined;
  assignedTo?: string | null | undefined;
  dueDate?: string | null | undefined;
  assignees?: Record<string, string[]> | undefined;
};

/** Creates a workflow with a copy of a template's steps. Errors: 404 `template_not_found`, and what `accept` throws. */
export async function createFromTemplate(
  scope: Scope,
  name: string,
  input: FromTemplate,
  accept: AcceptTemplate = () => undefined,
): Promise<Versioned<Workflow>> {
  const template = await findTemplate(scope, name, accept);
  const title = template.name.replaceAll('-', ' ');
  return createWorkflow(scope, {
    documentId: input.documentId,
    name: input.name ?? `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    type: template.name,
    steps: assignedSteps(template.steps, input.assignees ?? {}),
    ...(input.assignedTo === undefined ? {} : { assignedTo: input.assignedTo }),
    ...(input.dueDate === undefined ? {} : { dueDate: input.dueDate }),
  });
}

/** A template's steps with the people named for them. Errors: 422 `workflow_steps_invalid` for a step it has not. */
function assignedSteps(steps: readonly StepInput[], assignees: Readonly<Record<string, string[]>>): StepInput[] {
  const unknownStep = Object.keys(assignees).find((id) => !steps.some((step) => step.id === id));
  if (unknownStep !== undefined) {
    const pointer = `/assignees/${unknownStep.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    throw workflowProblems.workflow_steps_invalid(
      `The template has no step “${unknownStep.slice(0, 100)}”; it has ${steps.map(({ id }) => id).join(', ')}.`,
      { errors: [{ name: unknownStep.slice(0, 100), pointer, reason: 'is no step of the template', rule: 'step' }] },
    );
  }
  return steps.map(({ assignedTo, ...step }) => {
    const named = Object.hasOwn(assignees, step.id) ? assignees[step.id] : undefined;
    if (named !== undefined) return { ...step, assignees: named };
    return assignedTo === undefined ? step : { ...step, assignedTo };
  });
}

/** Adds a template of the team's own. Errors: 409 `template_exists`, `template_limit`, 422 `workflow_steps_invalid`. */
export async function addTemplate(scope: Scope, input: Template): Promise<Versioned<ListedTemplate>> {
  if (!mayMake(scope.actor)) throw problems.forbidden('Viewers make no templates. Ask an owner or administrator for another role.');
  await requireUsable(scope, input.steps);
  await scope.db.all(queries.lockTemplateCount, { team: scope.team });
  const { templates } = (await scope.db.first(queries.countTemplates, { team: scope.team })) ?? { templates: 0 };
  if (templates >= mostTemplates)
    throw workflowProblems.template_limit(`The team has ${mostTemplates} templates of its own. Remove one that is not used.`);
  const taken = builtinTemplates.some(({ name }) => name === input.name);
  const [made] = taken
    ? []
    : await scope.db.all(queries.insertTemplate, {
        team: scope.team,
        ...input,
        steps: JSON.stringify(input.steps),
        by: scope.actor.type === 'system' ? null : scope.actor.id,
        byType: scope.actor.type,
        at: scope.now,
      });
  if (!made) throw workflowProblems.template_exists(`There is a template “${input.name}” already. Choose another name.`);
  await recordAct(scope, templateCreated, input.name);
  return present(made);
}

/** The steps fit together, and name no agents or endpoints but those that whoever gives them may use. Errors: 422 `workflow_steps_invalid`. */
async function requireUsable(scope: Scope, steps: readonly StepInput[]): Promise<void> {
  const rows = stepRows(steps);
  await requireAgents(scope, rows);
  await requireEndpoints(scope, rows);
}

export async function changeTemplate(
  scope: Scope,
  name: string,
  input: { description?: string | undefined; steps?: StepInput[] | undefined },
  expect: VersionCheck,
): Promise<Versioned<ListedTemplate>> {
  if (input.steps) await requireUsable(scope, input.steps);
  const kept = await changeableTemplate(scope, name, expect);
  const changed = await scope.db.first(queries.updateTemplate, {
    team: scope.team,
    name,
    description: input.description ?? null,
    steps: input.steps === undefined ? null : JSON.stringify(input.steps),
    by: scope.actor.type === 'system' ? null : scope.actor.id,
    at: scope.now,
  });
  if (!changed) throw unknown(name);
  await recordAct(scope, templateUpdated, name, { changes: changesBetween(shown(kept), shown(changed)) });
  return present(changed);
}

/** What the journal says of a template: its text, and its steps by what they are. */
function shown({ description, steps }: queries.TemplateRow) {
  return { description, steps: steps.slice(0, 20).map(({ id, type }) => ({ id, type })) };
}

/** A template of the team's own that the actor may change, locked. Errors: 403, 404, 412. */
async function changeableTemplate(scope: Scope, name: string, expect: VersionCheck): Promise<queries.TemplateRow> {
  const kept = name.includes('\0') ? undefined : await scope.db.first(queries.lockTemplate, { team: scope.team, name });
  if (!kept) throw unknown(name);
  if (!mayChangeTemplate(scope.actor, kept))
    throw problems.forbidden('A template is changed by who added it, and by owners and administrators. Ask one of them.');
  expect(kept.version);
  return kept;
}

/** Removes a template of the team's own. Errors: 403, 404, 412. */
export async function removeTemplate(scope: Scope, name: string, expect: VersionCheck): Promise<void> {
  await changeableTemplate(scope, name, expect);
  const [gone] = await scope.db.all(queries.deleteTemplate, { team: scope.team, name });
  if (!gone) throw unknown(name);
  await recordAct(scope, templateDeleted, name);
}
