import { type Mapping, type MappingFinding, schemaOfFields } from '#fields';
import { bindableRegistry, type BoundRegistry } from '#registries';
import { holdTemplates, nearestTemplate, type StartingForm, stateOfTemplate, templateForForm } from '#workflows';
import { type FieldError, Problem } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Definition } from '../schemas.ts';
import { invalid } from '../submission-actions.ts';
import { inputsOf } from './check.ts';
import type { Output } from './schemas.ts';
import type { TemplatesForForms } from './templates.ts';

/** The target of the mapping of an output. `at` is the pointer of the mapping. */
export type OutputTarget = { at: string; mapping: Mapping; schema: Record<string, unknown>; called: string; when: Output['when'] };

export const recordTarget = ({ fields }: BoundRegistry, { fields: mapping = {}, when }: Output, at: string): OutputTarget => ({
  at: `${at}/fields`,
  mapping,
  schema: schemaOfFields(fields),
  called: 'the registry',
  when,
});

type Targeting = { definition: Definition; output: Output; at: string };
type FoundTarget = { target: OutputTarget; state: number | string | null; errors: MappingFinding[]; warnings?: MappingFinding[] };

/**
 * Returns the target of an output that the actor may use, with its state. For a workflow template, `errors` and `warnings` say whether it fits the form. Errors:
 * 403, 404, 422 `interface_invalid`, `registry_not_found`.
 */
export async function targetOf(
  templates: () => TemplatesForForms,
  scope: ReadScope | Scope,
  { definition, output, at }: Targeting,
): Promise<FoundTarget> {
  const { make, when, templateId = '', values = {}, template = '', parameters = {}, documents = [], registryId = '' } = output;
  if (make === 'record') return { state: null, target: recordTarget(await bindableRegistry(scope, registryId), output, at), errors: [] };
  if (make === 'document') {
    const found = await unlessMissing(`${at}/templateId`, () => noDocumentTemplate, templates().read(scope, templateId));
    const target = { at: `${at}/values`, mapping: values, schema: found.schema, called: 'the template', when };
    return { state: found.version, target, errors: [] };
  }
  const form = startingForm(templates, scope, { definition, documents });
  const missing = () => noWorkflowTemplate(scope, template);
  const known = await unlessMissing(`${at}/template`, missing, templateForForm(scope, template, form));
  const state = (await stateOfTemplate(scope, template))?.hash ?? null;
  const target = { at: `${at}/parameters`, mapping: parameters, schema: schemaOf(known.parameters), called: 'the workflow template', when };
  const [errors, warnings] = [known.errors, known.warnings].map((found) => templateErrors(found, `${at}/template`));
  return { state, target, errors: errors ?? [], warnings: warnings ?? [] };
}

/**
 * Locks the workflow templates that a form names against deletion, so that none is deleted before its publication. Errors: 422 `interface_invalid`.
 */
export async function holdWorkflowTemplates(scope: Scope, { then = [], startsTemplate }: Definition['config']): Promise<void> {
  const named = new Map(
    then.flatMap(({ template }, place) => (template === undefined ? [] : [[template, `/config/then/${place}/template`]])),
  );
  if (startsTemplate !== undefined) named.set(startsTemplate, '/config/startsTemplate');
  const [missing] = await holdTemplates(scope, [...named.keys()]);
  if (missing !== undefined) throw invalid(named.get(missing) ?? '', await noWorkflowTemplate(scope, missing));
}

/** Like {@link holdWorkflowTemplates}, for document templates, in the order of their identifiers. */
export async function holdDocumentTemplates(
  templates: () => TemplatesForForms,
  scope: Scope,
  { then = [] }: Definition['config'],
): Promise<void> {
  const named = then.flatMap(({ templateId }, place) => (templateId === undefined ? [] : [{ id: templateId.toLowerCase(), place }]));
  for (const { id, place } of named.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    if (!(await templates().hold(scope, id))) throw invalid(`/config/then/${place}/templateId`, noDocumentTemplate);
}

const noWorkflowTemplate = async (scope: ReadScope | Scope, name: string) =>
  `is not a workflow template${await nearestTemplate(scope, name)}`;
const noDocumentTemplate = 'is not a document template that you can use';

/** Returns the form that starts a workflow: its documents are earlier outputs. */
export function startingForm(
  templates: () => TemplatesForForms,
  scope: ReadScope | Scope,
  { definition, documents }: { definition: Definition; documents: readonly string[] },
): StartingForm {
  const { then = [] } = definition.config;
  return {
    documents: documents.map((name) => {
      const output = then.find(({ id }) => id === name);
      return { name, templateId: output?.templateId, isOptional: output?.when !== undefined };
    }),
    inputs: inputsOf(definition),
    signersOf: async (template) => (await unlessHidden(templates().read(scope, template)))?.signers ?? undefined,
  };
}

/** Returns undefined for a resource that the actor cannot read. */
export async function unlessHidden<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  }
}

/** Returns errors of a template at the member of the form that names it. */
export const templateErrors = (errors: readonly FieldError[], at: string): MappingFinding[] =>
  errors.map(({ pointer, reason, rule }) => ({
    name: at.slice(at.lastIndexOf('/') + 1),
    pointer: at,
    reason: `${pointer} of the template ${reason}`,
    rule,
  }));

function unlessMissing<T>(pointer: string, missing: () => Promise<string> | string, found: Promise<T>): Promise<T> {
  return found.catch(async (error: unknown) => {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    throw invalid(pointer, error.status === 404 ? await missing() : `names a template that a form cannot use: ${error.detail}`);
  });
}

type Parameter = Awaited<ReturnType<typeof templateForForm>>['parameters'][number];

const parameterSchemas: Readonly<Record<Parameter['type'], Record<string, unknown>>> = {
  text: { type: 'string', maxLength: 2_000 },
  date: { type: 'string', format: 'date' },
  user: { type: 'string', format: 'uuid' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
};

function schemaOf(parameters: readonly Parameter[]): Record<string, unknown> {
  const required = parameters.filter((one) => one.required === true && one.default === undefined).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, type }) => [name, parameterSchemas[type]])),
    required,
    additionalProperties: false,
  };
}
