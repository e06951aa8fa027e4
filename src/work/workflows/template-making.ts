import type { MappingInputs } from '#fields';
import { makingOf, mappingOf } from './making.ts';
import { inputsOfStep } from './names.ts';
import type { TemplateStep } from './schemas.ts';
import type { stepRows } from './step-rows.ts';
import { stepsBefore } from './steps.ts';
import type { TemplateStepToCheck } from './transaction-cache.ts';

/* The steps of a template that make documents and records. Their values are compared with their targets when the template is saved. */

const hasParameter = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');

/** A source of any value, in place of one with a parameter. No step has this id. */
const anyValue = { from: ' ' };
const withParameter = /"value":"(?:[^"\\]|\\.)*\{\{/;

/** Returns the names that a step of a template can use. The answers of its forms and its submission are not known, and can be present. */
function inputsOf(rows: ReturnType<typeof stepRows>, id: string): MappingInputs {
  const before = stepsBefore(rows)(id);
  const known = inputsOfStep((name) => (before.has(name) ? rows.find((row) => row.id === name) : undefined), {}, [...before]);
  return {
    ...known,
    find(name) {
      const found = name === anyValue.from ? { schema: {} } : known.find(name);
      return found && { ...found, needs: [] };
    },
  };
}

/**
 * Returns the steps to compare with their template or registry. Leaves out steps in `stored`, and steps whose template
 * or registry is a parameter. `rows` has sample values.
 */
export function stepsToCheck(
  rows: ReturnType<typeof stepRows>,
  given: readonly TemplateStep[],
  stored: ReadonlySet<string>,
): TemplateStepToCheck[] {
  return rows.flatMap((row, position) => {
    const { config: original = {} } = given[position] ?? {};
    const isOpen = [original.templateId, original.registryId, original.update].some(hasParameter);
    if (makingOf(row) === undefined || stored.has(row.id) || isOpen) return [];
    const sources = mappingOf({ type: row.type, config: original });
    const mapping = Object.fromEntries(
      Object.entries(mappingOf(row)).map(([path, source]) => [path, withParameter.test(JSON.stringify(sources[path])) ? anyValue : source]),
    );
    const config = { ...row.config, [row.type === 'document' ? 'values' : 'fields']: mapping };
    return [{ id: row.id, type: row.type, config, position, inputs: inputsOf(rows, row.id) }];
  });
}
