import {
  compareMapping,
  edgeAnswers,
  type MappingFinding,
  namesInSource,
  applyMapping,
  valuesOfSubmission,
  warningsOf,
  withExample,
  localesOf,
} from '#fields';
import { templateForForm } from '#workflows';
import { Problem } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Definition } from '../schemas.ts';
import { inputsOf } from './check.ts';
import type { Output } from './schemas.ts';
import { type OutputTarget, startingForm, targetOf, templateErrors } from './targets.ts';
import type { TemplatesForForms } from './templates.ts';

/** The comparison of an output with its template or registry. `target` is absent if the actor cannot use it. */
export type ExaminedOutput = {
  output: Output;
  at: string;
  target?: OutputTarget;
  /** The version of the document template or the hash of the workflow template. */
  state: number | string | null;
  errors: MappingFinding[];
  /** Warnings about the steps of a workflow template. */
  warnings: MappingFinding[];
  places: ReturnType<typeof compareMapping>['places'];
};

type Examining = { templates: () => TemplatesForForms; scope: ReadScope | Scope; definition: Definition };

/** Compares the outputs of a draft with their templates and registries, with the rights of the actor. The check and the publication use it. */
export async function examineOutputs(examining: Examining): Promise<ExaminedOutput[]> {
  const examined: ExaminedOutput[] = [];
  for (const [place, output] of (examining.definition.config.then ?? []).entries())
    examined.push(await examineOutput(examining, output, `/config/then/${place}`));
  return examined;
}

/** Compares one output with its template or registry. */
export async function examineOutput({ templates, scope, definition }: Examining, output: Output, at: string): Promise<ExaminedOutput> {
  try {
    const { target, state, errors, warnings = [] } = await targetOf(templates, scope, { definition, output, at });
    const compared = compareOutput(definition, target);
    return { output, at, target, state, errors: [...errors, ...compared.errors], warnings, places: compared.places };
  } catch (error) {
    return { output, at, state: null, errors: errorsIn(error, at), warnings: [], places: [] };
  }
}

/**
 * Returns the errors of the workflow template of `startsTemplate` for the fields of the form. Returns none if the
 * template does not exist.
 */
export async function errorsOfStart({ templates, scope, definition }: Examining): Promise<MappingFinding[]> {
  const { startsTemplate } = definition.config;
  if (startsTemplate === undefined) return [];
  const at = '/config/startsTemplate';
  try {
    const { errors } = await templateForForm(scope, startsTemplate, startingForm(templates, scope, { definition, documents: [] }));
    return templateErrors(errors, at);
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return [];
    return errorsIn(error, at);
  }
}

/** Compares the mapping of an output with its target. */
export const compareOutput = (definition: Definition, target: OutputTarget): ReturnType<typeof compareMapping> =>
  compareMapping(target.mapping, { inputs: inputsOf(definition), target, at: target.at, when: target.when });

/**
 * Returns warnings about an output that has no errors: its places for which not all values are proven valid. Answers at
 * the limits of the fields give examples.
 */
export async function warningsOfOutput(
  { templates, scope, definition }: Examining,
  { output, target, errors, warnings, places }: ExaminedOutput,
): Promise<MappingFinding[]> {
  if (!target || errors.length > 0) return [];
  const found = [...warnings, ...warningsOf(places, target.at, target.called)];
  return output.make === 'document' && found.length > 0 ? tested(templates(), scope.team, definition, target, found) : found;
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

/** The identifier of the submission in checks. */
export const sampleId = '01999999-0000-7000-8000-000000000001';

const ofValue = /^\/(?:data|parameters)\//;

/** Returns the errors of a rejection at the places of the mapping. Rethrows other errors, and a lack of capacity. */
export function errorsIn(error: unknown, at: string): MappingFinding[] {
  if (!(error instanceof Problem) || error.status >= 500 || error.status === 429) throw error;
  const { code, detail, errors = [] } = error;
  const finding = (pointer: string, reason: string, rule: string) => ({
    name: pointer.slice(pointer.lastIndexOf('/') + 1),
    pointer,
    reason,
    rule,
  });
  if (errors.length === 0) return [finding(at, detail, code)];
  return errors.map(({ pointer, reason, rule }) => {
    const place = placeOf(pointer, at);
    return place === undefined ? finding(at, `${pointer} of the template ${reason}`, rule) : finding(place, reason, rule);
  });
}

/** Returns the place of the mapping; undefined for an error elsewhere, such as in a step. */
function placeOf(pointer: string, at: string): string | undefined {
  if (pointer.startsWith('/config/then/')) return pointer;
  return ofValue.test(pointer) ? `${at}/${pointer.replace(ofValue, '').replaceAll('/', '.')}` : undefined;
}
