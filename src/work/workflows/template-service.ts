import { actorToday } from '#documents';
import type { MappingInputs } from '#fields';
import { requireMembers } from '#tasks';
import { hashOfJson } from '../../platform/canonical-json.ts';
import type { ListPage } from '../../platform/database/json-page.ts';
import { didYouMean, unknownNames } from '../../platform/http/known-members.ts';
import { changesBetween } from '../../platform/journal/changes.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { type FieldError, fieldError, problems } from '../../platform/problems.ts';
import { type ReadScope, isTeamManager, type Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { requirePolicies } from './approval-steps.ts';
import { requireAgents } from './agent-steps.ts';
import { withOnMissing } from './conditions.ts';
import { defaultName, requireNamedDocuments } from './documents.ts';
import { templateCreated, templateDeleted, templateUpdated } from './events.ts';
import * as lists from './list-queries.ts';
import { mayCreate, mayManageTemplate, mayReadTemplates } from './access.ts';
import { workflowProblems } from './problems.ts';
import * as templateQueries from './template-queries.ts';
import type {
  ListedTemplate,
  NamedDocument,
  Parameter,
  StepInput,
  TemplateChange,
  TemplateInput,
  TemplateStep,
  Workflow,
} from './schemas.ts';
import { createWorkflow } from './service.ts';
import { stepRows, storedSteps } from './step-rows.ts';
import { submissionErrors } from './template-names.ts';
import { signerErrors, type SignersOf, type StartingDocument } from './template-signers.ts';
import { checkTemplate, fill, valuesOf } from './template-parameters.ts';
import { requireUnused, templateChanged, type TemplateUses } from './template-uses.ts';
import { builtinTemplates } from './templates.ts';
import { signersNamed } from './signature-config.ts';
import { requireSigners } from './signature-steps.ts';
import { stepsToCheck } from './template-making.ts';
import { cacheTemplateSteps } from './transaction-cache.ts';
import { requireEndpoints } from './webhook-steps.ts';
import { dependencies } from './steps.ts';

const maxTemplates = 200;

const unknown = (name: string) =>
  workflowProblems.template_not_found(
    `There is no template “${name.slice(0, 100)}”. The names are listed at /api/v1/workflows/templates/available.`,
  );

/** Returns the name of a usable template that resembles `name`, as the end of a reason. */
export async function nearestTemplate({ db, team, actor }: ReadScope | Scope, name: string): Promise<string> {
  const own = mayReadTemplates(actor) ? await db.all(templateQueries.templateNames, { team }) : [];
  return didYouMean(
    name,
    [...builtinTemplates, ...own].map((template) => template.name),
  );
}

function present(row: templateQueries.TemplateRow): Versioned<ListedTemplate> {
  const value = {
    name: row.name,
    description: row.description,
    source: 'team' as const,
    steps: row.steps,
    ...(row.parameters.length === 0 ? {} : { parameters: row.parameters }),
    version: row.version,
    ...(row.created_by === null ? {} : { createdBy: row.created_by, createdByType: row.created_by_type }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

const builtinText = builtinTemplates.map((template) => JSON.stringify({ ...template, source: 'builtin' })).join(',');

/** Lists the built-in templates and, if the actor may read them, those of the team, by name. A page that begins `after` a name has only templates of the team. */
export async function listTemplates(scope: ReadScope, page: { after: string; limit: number }): Promise<ListPage> {
  const found = mayReadTemplates(scope.actor) ? await scope.db.first(lists.listTemplates, { team: scope.team, ...page }) : undefined;
  const own: ListPage = found ?? { body: '[]', last: null, more: false };
  if (page.after !== '') return own;
  return {
    ...own,
    total: (own.total ?? 0) + builtinTemplates.length,
    body: `[${builtinText}${own.body === '[]' ? '' : ','}${own.body.slice(1)}`,
  };
}

/** Returns a built-in template or one of the team. Errors: 404 `template_not_found`. */
export async function getTemplate(scope: ReadScope, name: string): Promise<Versioned<ListedTemplate>> {
  const builtin = builtinTemplates.find((template) => template.name === name);
  if (builtin) return { value: { ...builtin, source: 'builtin' }, version: undefined };
  return present(await readableTemplate(scope, name));
}

/** Returns the steps of a template that the actor may read. Errors: 404 `template_not_found`. */
export async function stepsOfTemplate(scope: ReadScope, name: string): Promise<readonly TemplateStep[]> {
  return (builtinTemplates.find((template) => template.name === name) ?? (await readableTemplate(scope, name))).steps;
}

/** Returns a template of the team that the actor may read. Errors: 404 `template_not_found`. */
async function readableTemplate(scope: ReadScope, name: string): Promise<templateQueries.TemplateRow> {
  if (!mayReadTemplates(scope.actor)) throw unknown(name);
  return ownTemplate(scope, name);
}

async function ownTemplate(scope: ReadScope | Scope, name: string): Promise<templateQueries.TemplateRow> {
  const row = name.includes('\0') ? undefined : await scope.db.first(templateQueries.findTemplate, { team: scope.team, name });
  if (!row) throw unknown(name);
  return row;
}

/** The state of a team template: a hash of its steps, and the user who last changed them. */
export type TemplateState = { hash: string; stepsBy: string | null };
const stateOf = ({ steps, parameters, steps_by: stepsBy }: templateQueries.TemplateRow): TemplateState => ({
  hash: hashOfJson(parameters.length === 0 ? steps : { steps, parameters }),
  stepsBy,
});

/** Returns the state of a team template; undefined for a built-in template, which cannot change, and for a missing one. */
export async function stateOfTemplate(scope: ReadScope | Scope, name: string): Promise<TemplateState | undefined> {
  const row =
    isBuiltin(name) || name.includes('\0') ? undefined : await scope.db.first(templateQueries.findTemplate, { team: scope.team, name });
  return row && stateOf(row);
}

const isBuiltin = (name: string) => builtinTemplates.some((template) => template.name === name);

type Usable = { name: string; steps: readonly TemplateStep[]; parameters?: readonly Parameter[]; version?: number };

async function findTemplate(
  scope: ReadScope | Scope,
  name: string,
  accept: (row: templateQueries.TemplateRow) => Promise<void> | void,
): Promise<Usable> {
  const builtin = builtinTemplates.find((template) => template.name === name);
  if (builtin) return builtin;
  const row = await ownTemplate(scope, name);
  await accept(row);
  return row;
}

/**
 * Rejects a template with instructions of another member to agents, until the caller confirms this version: the agents run with the rights of the
 * caller. Instructions of owner and administrators are trusted. Errors: 409 `agent_steps_unconfirmed`.
 */
async function requireConfirmed(scope: Scope, row: templateQueries.TemplateRow, confirmed: number | undefined): Promise<void> {
  const { name, version, steps_by: by } = row;
  const instructions = row.steps.flatMap(({ type, config }, index) =>
    type === 'agent' ? [{ index, message: String(config?.message) }] : [],
  );
  if (instructions.length === 0 || confirmed === version || (by !== null && 'id' in scope.actor && scope.actor.id === by)) return;
  const author = by === null ? undefined : await actorToday(scope, by);
  if (author && isTeamManager(author)) return;
  throw workflowProblems.agent_steps_unconfirmed(
    `The template “${name}” runs agents with your rights, on instructions that another member wrote. Read them, then send \`confirmedVersion: ${version}\`.`,
    {
      errors: instructions.map(({ index, message }) => ({
        name: 'message',
        pointer: `/steps/${index}/config/message`,
        reason: `instructs the agent: ${message}`,
        rule: 'confirmation',
      })),
    },
  );
}

/** Checks the current state of a team template, and throws an error to reject it. */
type AcceptTemplate = (state: TemplateState) => Promise<void> | void;

type FromTemplate = {
  documentId?: string | undefined;
  documents?: readonly NamedDocument[] | undefined;
  name?: string | undefined;
  assignedTo?: string | null | undefined;
  dueDate?: string | null | undefined;
  assignees?: Record<string, string[]> | undefined;
  parameters?: Record<string, string | number | boolean> | undefined;
  confirmedVersion?: number | undefined;
  /** The submission that starts the workflow. */
  submissionId?: string;
  /** Documents of the form that its conditions omitted. */
  omittedDocuments?: readonly string[];
};

/**
 * Creates a workflow with a copy of the steps of a template. Without `accept`, the caller must confirm instructions of another member to agents.
 * Errors: 404 `template_not_found`, 409 `agent_steps_unconfirmed`, and those of `accept`.
 */
export async function createFromTemplate(
  scope: Scope,
  name: string,
  input: FromTemplate,
  accept?: AcceptTemplate,
): Promise<Versioned<Workflow>> {
  const template = await findTemplate(scope, name, (row) =>
    accept ? accept(stateOf(row)) : requireConfirmed(scope, row, input.confirmedVersion),
  );
  const title = template.name.replaceAll('-', ' ');
  const values = valuesOf(template.parameters ?? [], input.parameters ?? {});
  const people = Object.fromEntries(
    (template.parameters ?? []).flatMap(({ name: of, type }) =>
      type === 'user' && values.has(of) ? [[of, String(values.get(of)).toLowerCase()]] : [],
    ),
  );
  await requireMembers(scope, Object.values(people));
  const steps = fill(template.steps, values);
  return createWorkflow(scope, {
    ...(input.documentId === undefined ? {} : { documentId: input.documentId }),
    ...(input.documents === undefined ? {} : { documents: [...input.documents] }),
    ...(input.submissionId === undefined ? {} : { submissionId: input.submissionId }),
    ...(input.omittedDocuments === undefined ? {} : { omittedDocuments: input.omittedDocuments }),
    name: input.name ?? `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    type: template.name,
    steps: assignedSteps(steps, input.assignees ?? {}),
    stored: new Set(steps.map(({ id }) => id)),
    people,
    ...(template.version === undefined ? {} : { templateVersion: template.version }),
    ...(input.assignedTo === undefined ? {} : { assignedTo: input.assignedTo }),
    ...(input.dueDate === undefined ? {} : { dueDate: input.dueDate }),
  });
}

/** A form that starts a workflow: its documents, the names of its answers, and the signers of document templates. */
export type StartingForm = { documents: readonly StartingDocument[]; inputs: MappingInputs; signersOf: SignersOf };

/**
 * Returns the parameters of a template for the workflows of a form, and the errors of its steps for the fields of the form. Errors: 404
 * `template_not_found`, 422 `workflow_steps_invalid` for a step that names another document.
 */
export async function templateForForm(
  scope: ReadScope | Scope,
  name: string,
  { documents, inputs, signersOf }: StartingForm,
): Promise<{ parameters: readonly Parameter[]; errors: FieldError[]; warnings: FieldError[] }> {
  const template = await findTemplate(scope, name, () => undefined);
  const { steps, parameters = [] } = template;
  const before = dependencies(steps);
  requireNamedDocuments(
    steps.map(({ id, type, config = {} }, at) => ({ id, type, config, depends_on: before[at] ?? [] })),
    documents.length === 0 ? [{ name: defaultName }] : documents,
  );
  const { errors, warnings } = await signerErrors(steps, documents, signersOf);
  return { parameters, errors: [...(await submissionErrors(scope, template, inputs)), ...errors], warnings };
}

/**
 * Checks that a workflow can be created from a template with these parameters and documents, as forms do. It creates nothing. Errors: 404
 * `template_not_found`, 422 `template_parameters_invalid`, `workflow_steps_invalid`.
 */
export async function requireStartable(
  scope: ReadScope | Scope,
  name: string,
  { parameters = {}, documents = [defaultName] }: { parameters?: Readonly<Record<string, unknown>>; documents?: readonly string[] } = {},
): Promise<void> {
  const template = await findTemplate(scope, name, () => undefined);
  const filled = fill(template.steps, valuesOf(template.parameters ?? [], parameters));
  const rows = stepRows(filled, new Set(filled.map(({ id }) => id)));
  requireDifferentSigners(filled);
  requireNamedDocuments(
    rows,
    documents.map((document) => ({ name: document })),
  );
}

/** Rejects a step that names an address twice, which its signature request would reject. Errors: 422 `workflow_steps_invalid`. */
function requireDifferentSigners(steps: readonly StepInput[]): void {
  const errors = steps.flatMap(({ config }, at) => {
    const signers = Array.isArray(config?.signers) ? (config.signers as { email?: unknown }[]) : [];
    const addresses = signers.map(({ email }) => (typeof email === 'string' ? email.trim().toLowerCase() : undefined));
    return addresses.flatMap((address, place) =>
      address !== undefined && addresses.indexOf(address) < place
        ? [fieldError(`/steps/${at}/config/signers/${place}/email`, 'is the address of another signer of the step', 'unique')]
        : [],
    );
  });
  const [first] = errors;
  if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
}

/** Returns the steps of a template with the assignees that the request names. Errors: 422 `workflow_steps_invalid` for an unknown step. */
function assignedSteps(steps: readonly StepInput[], assignees: Readonly<Record<string, string[]>>): StepInput[] {
  const ids = steps.map(({ id }) => id);
  const errors = unknownNames(assignees, ids, ['assignees']);
  if (errors[0])
    throw workflowProblems.workflow_steps_invalid(`The template has no step “${errors[0].name}”. Its steps are ${ids.join(', ')}.`, {
      errors,
    });
  return steps.map(({ assignedTo, ...step }) => {
    const named = Object.hasOwn(assignees, step.id) ? assignees[step.id] : undefined;
    if (named !== undefined) return { ...step, assignees: named };
    return assignedTo === undefined ? step : { ...step, assignedTo };
  });
}

/** Creates a team template. Errors: 409 `template_exists`, `template_limit`, 422 `workflow_steps_invalid`. */
export async function addTemplate(scope: Scope, input: TemplateInput): Promise<Versioned<ListedTemplate>> {
  if (!mayCreate(scope.actor, 'workflow_template'))
    throw problems.forbidden('Viewers cannot create templates. Ask an owner or administrator for another role.');
  const steps = await usableSteps(scope, input.steps, input.parameters ?? []);
  await scope.db.all(templateQueries.lockTemplateCount, { team: scope.team });
  const { templates } = (await scope.db.first(templateQueries.countTemplates, { team: scope.team })) ?? { templates: 0 };
  if (templates >= maxTemplates)
    throw workflowProblems.template_limit(`The team already has ${maxTemplates} templates. Delete one that is not used.`);
  const taken = builtinTemplates.some(({ name }) => name === input.name);
  const [made] = taken
    ? []
    : await scope.db.all(templateQueries.insertTemplate, {
        team: scope.team,
        name: input.name,
        description: input.description,
        steps: JSON.stringify(steps),
        parameters: JSON.stringify(input.parameters ?? []),
        by: scope.actor.type === 'system' ? null : scope.actor.id,
        byType: scope.actor.type,
        at: scope.now,
      });
  if (!made) throw workflowProblems.template_exists(`A template “${input.name}” already exists. Choose another name.`);
  keepVersion(scope, input.name);
  await recordAudit(scope, templateCreated, input.name);
  return present(made);
}

/**
 * Returns the steps of a template as they are stored. They must be valid and name only agents and endpoints that the actor may use. `before`: the
 * current steps of the template. Errors: 422 `workflow_steps_invalid`.
 */
async function usableSteps(
  scope: Scope,
  steps: readonly TemplateStep[],
  parameters: readonly Parameter[],
  before: readonly TemplateStep[] = [],
): Promise<readonly TemplateStep[]> {
  const stored = storedSteps(steps, before);
  const rows = checkTemplate(steps, parameters, stored);
  await requireAgents(scope, rows);
  await requirePolicies(scope, rows);
  await requireEndpoints(scope, rows);
  requireSigners(withSampleSigners(rows, steps));
  cacheTemplateSteps(scope, stepsToCheck(rows, steps, stored));
  return steps.map((step) => (stored.has(step.id) || step.config === undefined ? step : withOnMissing({ ...step, config: step.config })));
}

/** Returns the steps with a different sample for each signer with a parameter. */
const withSampleSigners = (rows: ReturnType<typeof stepRows>, given: readonly TemplateStep[]) =>
  rows.map(({ config }, at) => {
    const signers = signersNamed(given[at]?.config ?? {});
    if (signers === undefined) return { config };
    const sampled = signers.map((one, place) =>
      JSON.stringify(one).includes('{{') ? { ...one, email: `sample-${place}@example.org`, name: 'Sample' } : one,
    );
    return { config: { ...config, signers: sampled } };
  });

/** Errors: 400 for another name than that in the path. */
function requireSameName(name: string, given: string | undefined): void {
  if (given === undefined || given === name) return;
  throw problems.validation_failed('A template cannot be renamed. Omit `name`, or create another template.', {
    errors: [fieldError('/name', `must be the name in the path: ${name.slice(0, 100)}`, 'const')],
  });
}

/**
 * Changes a team template. A change that takes effect at once in published forms is checked against them. Errors: 400, 403, 404, 409 `template_in_use`,
 * 412, 422 `workflow_steps_invalid`.
 */
export async function changeTemplate(
  scope: Scope,
  name: string,
  input: TemplateChange,
  { expect, uses, force = false }: { expect: VersionCheck; uses: TemplateUses; force?: boolean | undefined },
): Promise<Versioned<ListedTemplate>> {
  requireSameName(name, input.name);
  const kept = await changeableTemplate(scope, name, expect);
  const steps =
    input.steps || input.parameters
      ? await usableSteps(scope, input.steps ?? kept.steps, input.parameters ?? kept.parameters, kept.steps)
      : undefined;
  const changed = await scope.db.first(templateQueries.updateTemplate, {
    team: scope.team,
    name,
    description: input.description ?? null,
    steps: input.steps === undefined || steps === undefined ? null : JSON.stringify(steps),
    parameters: input.parameters === undefined ? null : JSON.stringify(input.parameters),
    by: scope.actor.type === 'system' ? null : scope.actor.id,
    at: scope.now,
  });
  if (!changed) throw unknown(name);
  keepVersion(scope, name);
  if (stateOf(changed).hash !== stateOf(kept).hash) await templateChanged(uses, scope, { kind: 'workflow', id: name, name }, force);
  await recordAudit(scope, templateUpdated, name, { changes: changesBetween(shown(kept), shown(changed)) });
  return present(changed);
}

/** Stores the current template as one of its versions. */
function keepVersion({ db, team, actor, now }: Scope, name: string): void {
  db.send(templateQueries.keepTemplateVersion, { team, name, by: actor.type === 'system' ? null : actor.id, byType: actor.type, at: now });
}

/** Lists the versions of a team template, the newest first. A built-in template has none. Errors: 404 `template_not_found`. */
export async function listVersions(
  scope: ReadScope,
  name: string,
  page: { before: number | null; limit: number },
): Promise<ListPage | undefined> {
  if (!isBuiltin(name)) await readableTemplate(scope, name);
  return scope.db.first(lists.listTemplateVersions, { team: scope.team, name, ...page });
}

/** Returns the journal data of a template: its description, and the id and type of its steps. */
function shown({ description, steps }: templateQueries.TemplateRow) {
  return { description, steps: steps.slice(0, 20).map(({ id, type }) => ({ id, type })) };
}

/** Locks a team template that the actor may change. Errors: 403, 404, 412. */
async function changeableTemplate(scope: Scope, name: string, expect: VersionCheck): Promise<templateQueries.TemplateRow> {
  const kept = name.includes('\0') ? undefined : await scope.db.first(templateQueries.lockTemplate, { team: scope.team, name });
  if (!kept) throw unknown(name);
  if (!mayManageTemplate(scope.actor, kept))
    throw problems.forbidden('Only the owner of the template and administrators can change it. Ask one of them.');
  expect(kept.version);
  return kept;
}

/** Locks team templates against deletion until the transaction ends. Returns the names without a template. */
export async function holdTemplates({ db, team }: Scope, names: readonly string[]): Promise<string[]> {
  const stored = names.filter((name) => !isBuiltin(name));
  if (stored.length === 0) return [];
  const wanted = stored.filter((name) => !name.includes('\0'));
  const held = new Set((await db.all(templateQueries.holdTemplates, { team, names: wanted })).map(({ name }) => name));
  return stored.filter((name) => !held.has(name));
}

/** Deletes a team template. Errors: 403, 404, 409 `template_in_use`, 412. */
export async function removeTemplate(
  scope: Scope,
  name: string,
  { expect, uses, force = false }: { expect: VersionCheck; uses: TemplateUses; force?: boolean | undefined },
): Promise<void> {
  await changeableTemplate(scope, name, expect);
  await requireUnused(uses, scope, { kind: 'workflow', id: name, name }, force);
  const [gone] = await scope.db.all(templateQueries.deleteTemplate, { team: scope.team, name });
  if (!gone) throw unknown(name);
  await recordAudit(scope, templateDeleted, name);
}
