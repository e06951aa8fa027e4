import type { ListPage } from '../platform/database/json-page.ts';
import { changesBetween } from '../platform/journal/changes.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { templateCreated, templateDeleted, templateUpdated } from './events.ts';
import * as lists from './list-queries.ts';
import { mayChangeTemplate, mayMake } from './policy.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { StepInput, Workflow } from './schemas.ts';
import { createWorkflow, type Versioned } from './service.ts';
import { stepRows } from './step-rows.ts';
import { builtinTemplates, type Template } from './templates.ts';

export type ListedTemplate = Template & { source: 'builtin' | 'team' };

const mostTemplates = 200;

const unknown = (name: string) =>
  workflowProblems.template_not_found(
    `There is no template “${name.slice(0, 100)}”. The names are listed at /api/v1/workflows/templates/available.`,
  );

function fromRow(row: queries.TemplateRow): ListedTemplate {
  return { name: row.name, description: row.description, source: 'team', steps: row.steps };
}

const builtinText = builtinTemplates.map((template) => JSON.stringify({ ...template, source: 'builtin' })).join(',');

/** The built-in templates and the team's own, by name; a page that begins `after` a name has only those that follow. */
export async function listTemplates(scope: ReadScope, page: { after: string; limit: number }): Promise<ListPage> {
  const own = (await scope.db.first(lists.listTemplates, { team: scope.team, ...page })) ?? { body: '[]', last: null, more: false };
  if (page.after !== '') return own;
  return { ...own, body: `[${builtinText}${own.body === '[]' ? '' : ','}${own.body.slice(1)}` };
}

async function findTemplate(scope: Scope, name: string): Promise<Template> {
  const builtin = builtinTemplates.find((template) => template.name === name);
  if (builtin) return builtin;
  const row = name.includes('\0') ? undefined : await scope.db.first(queries.findTemplate, { team: scope.team, name });
  if (!row) throw unknown(name);
  return fromRow(row);
}

type FromTemplate = {
  documentId: string;
  name?: string | undefined;
  assignedTo?: string | null | undefined;
  dueDate?: string | null | undefined;
  assignees?: Record<string, string[]> | undefined;
};

/** Creates a workflow with a copy of a template's steps. Errors: 404 `template_not_found`. */
export async function createFromTemplate(scope: Scope, name: string, input: FromTemplate): Promise<Versioned<Workflow>> {
  const template = await findTemplate(scope, name);
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
export async function addTemplate(scope: Scope, input: Template): Promise<ListedTemplate> {
  if (!mayMake(scope.actor)) throw problems.forbidden('Viewers make no templates. Ask an owner or administrator for another role.');
  stepRows(input.steps);
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
        at: scope.now,
      });
  if (!made) throw workflowProblems.template_exists(`There is a template “${input.name}” already. Choose another name.`);
  await recordAct(scope, templateCreated, input.name);
  return { ...input, source: 'team' };
}

export async function changeTemplate(
  scope: Scope,
  name: string,
  input: { description?: string | undefined; steps?: StepInput[] | undefined },
): Promise<ListedTemplate> {
  if (input.steps) stepRows(input.steps);
  const kept = await changeableTemplate(scope, name);
  const changed = name.includes('\0')
    ? undefined
    : await scope.db.first(queries.updateTemplate, {
        team: scope.team,
        name,
        description: input.description ?? null,
        steps: input.steps === undefined ? null : JSON.stringify(input.steps),
        at: scope.now,
      });
  if (!changed) throw unknown(name);
  await recordAct(scope, templateUpdated, name, { changes: changesBetween(shown(kept), shown(changed)) });
  return fromRow(changed);
}

/** What the journal says of a template: its text, and its steps by what they are. */
function shown({ description, steps }: queries.TemplateRow) {
  return { description, steps: steps.slice(0, 20).map(({ id, type }) => ({ id, type })) };
}

/** A template of the team's own that the actor may change. Errors: 403, 404. */
async function changeableTemplate(scope: Scope, name: string): Promise<queries.TemplateRow> {
  const kept = name.includes('\0') ? undefined : await scope.db.first(queries.findTemplate, { team: scope.team, name });
  if (!kept) throw unknown(name);
  if (!mayChangeTemplate(scope.actor, kept))
    throw problems.forbidden('A template is changed by who added it, and by owners and administrators. Ask one of them.');
  return kept;
}

/** Removes a template of the team's own. Errors: 403, 404. */
export async function removeTemplate(scope: Scope, name: string): Promise<void> {
  await changeableTemplate(scope, name);
  const [gone] = name.includes('\0') ? [] : await scope.db.all(queries.deleteTemplate, { team: scope.team, name });
  if (!gone) throw unknown(name);
  await recordAct(scope, templateDeleted, name);
}
