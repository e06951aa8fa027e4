import {
  applyMapping,
  compareMapping,
  edgeAnswers,
  type Mapping,
  type MappingFinding,
  namesInSource,
  schemaOfFields,
  valuesOfSubmission,
  warningsOf,
  withExample,
} from '#fields';
import type { BoundRegistry } from '#registries';
import { parametersOfTemplate, stateOfTemplate } from '#workflows';
import { type FieldError, Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { refuse } from '../definition.ts';
import { localesOf } from '../locales.ts';
import type { Definition } from '../schemas.ts';
import { invalid } from '../submission-actions.ts';
import { inputsOf } from './check.ts';
import type { Output } from './schemas.ts';
import type { OutputStates } from './states.ts';
import type { TemplatesForForms } from './templates.ts';

export type CheckedOutputs = { states: OutputStates; warnings: MappingFinding[] };

type OutputTarget = { at: string; mapping: Mapping; schema: Record<string, unknown>; called: string; when: Output['when'] };

/**
 * Checks the outputs of a draft against their templates, with the rights of the publisher. It acquires no locks, because values are validated in
 * another process. Errors: 422 `interface_invalid`.
 */
export async function checkTargets(templates: () => TemplatesForForms, scope: Scope, definition: Definition): Promise<CheckedOutputs> {
  const states: OutputStates = {};
  const warnings: MappingFinding[] = [];
  const errors: MappingFinding[] = [];
  for (const [place, output] of (definition.config.then ?? []).entries()) {
    if (output.make === 'record') continue;
    const at = `/config/then/${place}`;
    const { target, state } = await targetOf(templates, scope, output, at);
    states[output.id] = state;
    const compared = compareMapping(target.mapping, { inputs: inputsOf(definition), target, at: target.at, when: target.when });
    errors.push(...compared.errors);
    if (compared.errors.length > 0) continue;
    const found = warningsOf(compared.places, target.at, target.called);
    const isTested = output.make === 'document' && found.length > 0;
    warnings.push(...(isTested ? await tested(templates(), scope.team, definition, target, found) : found));
  }
  refuse(errors.map(inReason));
  return { states, warnings: warnings.slice(0, maxWarnings) };
}

/**
 * Checks the outputs that create records against the fields of their registries, and returns warnings. `registries` has the locked registries that the
 * publisher binds; an unchanged binding that the publisher cannot renew was checked at its publication. Errors: 422 `interface_invalid`.
 */
export function checkRecords(registries: ReadonlyMap<string, BoundRegistry | Problem>, definition: Definition): MappingFinding[] {
  const results = (definition.config.then ?? []).map((output, place) => {
    const registry = registries.get(output.registryId?.toLowerCase() ?? '');
    if (output.make !== 'record' || registry === undefined || registry instanceof Problem) return { errors: [], warnings: [] };
    const at = `/config/then/${place}/fields`;
    const target = recordTarget(registry);
    const { errors, places } = compareMapping(output.fields ?? {}, { inputs: inputsOf(definition), target, at, when: output.when });
    return { errors, warnings: warningsOf(places, at, target.called) };
  });
  refuse(results.flatMap(({ errors }) => errors).map(inReason));
  return results.flatMap(({ warnings }) => warnings).slice(0, maxWarnings);
}

const recordTarget = ({ fields }: BoundRegistry) => ({ schema: schemaOfFields(fields), called: 'the registry' });

const maxWarnings = 50;

/** Adds the example of a finding to its reason. */
export const inReason = ({ example, ...error }: MappingFinding): FieldError =>
  example === undefined ? error : { ...error, reason: `${error.reason}, for example ${example}` };

async function targetOf(
  templates: () => TemplatesForForms,
  scope: Scope,
  output: Output,
  at: string,
): Promise<{ target: OutputTarget; state: number | string | null }> {
  const { make, when, templateId = '', values = {}, template = '', parameters = {}, documents = [] } = output;
  if (make === 'document') {
    const found = await unlessMissing(
      `${at}/templateId`,
      'is not a document template that you can use',
      templates().read(scope, templateId),
    );
    return { state: found.version, target: { at: `${at}/values`, mapping: values, schema: found.schema, called: 'the template', when } };
  }
  const known = await unlessMissing(`${at}/template`, 'is not a workflow template', parametersOfTemplate(scope, template, documents));
  const state = (await stateOfTemplate(scope, template))?.hash ?? null;
  return { state, target: { at: `${at}/parameters`, mapping: parameters, schema: schemaOf(known), called: 'the workflow template', when } };
}

function unlessMissing<T>(pointer: string, missing: string, found: Promise<T>): Promise<T> {
  return found.catch((error: unknown) => {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    throw invalid(pointer, error.status === 404 ? missing : `names a template that a form cannot use: ${error.detail}`);
  });
}

type Parameter = Awaited<ReturnType<typeof parametersOfTemplate>>[number];

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

/** Validates the values for answers at their limits, and adds an example to the warnings about invalid places. */
async function tested(
  templates: TemplatesForForms,
  team: string,
  definition: Definition,
  { at, mapping, schema }: OutputTarget,
  found: readonly MappingFinding[],
): Promise<MappingFinding[]> {
  const { fields } = definition;
  const locales = localesOf(definition);
  const tries = edgeAnswers(fields, Object.values(mapping).flatMap(namesInSource), inputsOf(definition)).map((values) =>
    applyMapping(mapping, valuesOfSubmission({ fields, locales }, { id: sampleId, at: new Date(0), locale: locales[0], values })),
  );
  const misfits = await templates.compare(team, schema, tries);
  return found.map((warning) => {
    const path = warning.pointer.slice(at.length + 1).split('.');
    const misfit = misfits.find(({ pointer }) => pointer === `/${path.join('/')}`);
    if (!misfit || warning.example !== undefined) return warning;
    const value = path.reduce<unknown>((one, name) => (one as Record<string, unknown> | undefined)?.[name], tries[misfit.at]);
    return withExample({ ...warning, rule: 'misfit', reason: `can be invalid for the template: ${misfit.reason}` }, value);
  });
}

const sampleId = '01999999-0000-7000-8000-000000000001';

/** Throws 422 `interface_invalid` if a publication is strict and places are not proven. */
export function refuseWarnings(warnings: readonly MappingFinding[]): void {
  refuse(warnings.map(inReason));
}
