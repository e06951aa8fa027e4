import { inReason, type MappingFinding, warningsOf } from '#fields';
import type { BoundRegistry } from '#registries';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { refuse } from '../definition.ts';
import type { Definition } from '../schemas.ts';
import { compareOutput, errorsOfStart, examineOutputs, warningsOfOutput } from './examine.ts';
import type { OutputStates } from './states.ts';
import { recordTarget } from './targets.ts';
import type { TemplatesForForms } from './templates.ts';

export type CheckedOutputs = { states: OutputStates; warnings: MappingFinding[] };

/**
 * Checks the outputs of a draft with the rights of the publisher, as `tryOutputs` does. It acquires no locks, because values are validated in another
 * process. With `strict`, warnings are errors. Errors: 422 `interface_invalid`.
 */
export async function checkTargets(
  templates: () => TemplatesForForms,
  scope: Scope,
  { definition, strict }: { definition: Definition; strict: boolean },
): Promise<CheckedOutputs> {
  const states: OutputStates = {};
  const warnings: MappingFinding[] = [];
  const ofRecords: MappingFinding[] = [];
  const examining = { templates, scope, definition };
  const errors = await errorsOfStart(examining);
  for (const one of await examineOutputs(examining)) {
    const { output, target, state } = one;
    if (output.make === 'record') {
      // The locked registries decide whether the publisher may bind them.
      if (target) errors.push(...one.errors);
      ofRecords.push(...(await warningsOfOutput(examining, one)));
      continue;
    }
    states[output.id] = state;
    errors.push(...one.errors);
    warnings.push(...(await warningsOfOutput(examining, one)));
  }
  refuse((strict ? [...errors, ...warnings, ...ofRecords] : errors).map(inReason));
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

const maxWarnings = 50;

/** Throws 422 `interface_invalid` if a publication is strict and places are not proven. */
export function refuseWarnings(warnings: readonly MappingFinding[]): void {
  refuse(warnings.map(inReason));
}
