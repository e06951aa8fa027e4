import {
  applyMapping,
  compareMapping,
  edgeAnswers,
  inReason,
  type MappingFinding,
  namesInSource,
  valuesOfSubmission,
  warningsOf,
  withExample,
  localesOf,
} from '#fields';
import type { BoundRegistry } from '#registries';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { refuse } from '../definition.ts';
import type { Definition } from '../schemas.ts';
import { inputsOf } from './check.ts';
import type { OutputStates } from './states.ts';
import { type OutputTarget, recordTarget, targetOf } from './targets.ts';
import type { TemplatesForForms } from './templates.ts';

export type CheckedOutputs = { states: OutputStates; warnings: MappingFinding[] };

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
    const compared = compareOutput(definition, target);
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
    const target = recordTarget(registry, output, `/config/then/${place}`);
    const { errors, places } = compareOutput(definition, target);
    return { errors, warnings: warningsOf(places, target.at, target.called) };
  });
  refuse(results.flatMap(({ errors }) => errors).map(inReason));
  return results.flatMap(({ warnings }) => warnings).slice(0, maxWarnings);
}

/** Compares the mapping of an output with its target. */
export const compareOutput = (definition: Definition, target: OutputTarget): ReturnType<typeof compareMapping> =>
  compareMapping(target.mapping, { inputs: inputsOf(definition), target, at: target.at, when: target.when });

const maxWarnings = 50;

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

/** The identifier of the submission in checks. */
export const sampleId = '01999999-0000-7000-8000-000000000001';

/** Throws 422 `interface_invalid` if a publication is strict and places are not proven. */
export function refuseWarnings(warnings: readonly MappingFinding[]): void {
  refuse(warnings.map(inReason));
}
