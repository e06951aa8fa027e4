import { recordAct } from '../platform/journal/record.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { templateCreated, templateDeleted, templateUpdated } from './events.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { StepInput, Workflow } from './schemas.ts';
import { createWorkflow, type Versioned } from './service.ts';
import { stepRows } from './step-rows.ts';
import { builtinTemplates, type Template } from './templates.ts';

export type ListedTemplate = Template & { source: 'builtin' | 'team' };

const unknown = (name: string) =>
  workflowProblems.template_not_found(
    `There is no template “${name.slice(0, 100)}”. The names are listed at /api/v1/workflows/templates/available.`,
  );

function fromRow(row: queries.TemplateRow): ListedTemplate {
  return { name: row.name, description: row.description, source: 'team', steps: row.steps };
}

/** The built-in templates and the team's own. */
export async function listTemplates(scope: ReadScope): Promise<ListedTemplate[]> {
  const own = await scope.db.all(queries.listTemplates, { team: scope.team });
  return [...builtinTemplates.map((template) => ({ ...template, source: 'builtin' as const })), ...own.map(fromRow)];
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
};

/** Creates a workflow with a copy of a template's steps. Errors: 404 `template_not_found`. */
export async function createFromTemplate(scope: Scope, name: string, input: FromTemplate): Promise<Versioned<Workflow>> {
  const template = await findTemplate(scope, name);
  const title = template.name.replaceAll('-', ' ');
  return createWorkflow(scope, {
    documentId: input.documentId,
    name: input.name ?? `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    type: template.name,
    steps: template.steps,
    ...(input.assignedTo === undefined ? {} : { assignedTo: input.assignedTo }),
    ...(input.dueDate === undefined ? {} : { dueDate: input.dueDate }),
  });
}

/** Adds a template of the team's own. Errors: 409 `template_exists`, 422 `workflow_steps_invalid`. */
export async function addTemplate(scope: Scope, input: Template): Promise<ListedTemplate> {
  stepRows(input.steps);
  const taken = builtinTemplates.some(({ name }) => name === input.name);
  const [made] = taken
    ? []
    : await scope.db.all(queries.insertTemplate, { team: scope.team, ...input, steps: JSON.stringify(input.steps), at: scope.now });
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
  await recordAct(scope, templateUpdated, name);
  return fromRow(changed);
}

export async function removeTemplate(scope: Scope, name: string): Promise<void> {
  const [gone] = name.includes('\0') ? [] : await scope.db.all(queries.deleteTemplate, { team: scope.team, name });
  if (!gone) throw unknown(name);
  await recordAct(scope, templateDeleted, name);
}
