import { type Rules, rulesOfPolicies } from '#approvals';
import { checkCondition, type Condition, type Field, type MappingInputs } from '#fields';
import type { FieldError } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { conditionsOfRules, policyNamed } from './approval-config.ts';
import { unknownField } from './conditions.ts';
import { inputsOfStep, placeOf } from './names.ts';
import type { Parameter, TemplateStep } from './schemas.ts';
import { namingErrors } from './step-conditions.ts';
import { dependencies } from './steps.ts';
import { filledWithSamples } from './template-parameters.ts';

/**
 * Returns the errors in the names `submission/…` of a template. `submission` has the names of the form. The approval policies of its steps are checked
 * too.
 */
export async function submissionErrors(
  scope: ReadScope | Scope,
  { steps, parameters = [] }: { steps: readonly TemplateStep[]; parameters?: readonly Parameter[] },
  submission: MappingInputs,
): Promise<FieldError[]> {
  const before = dependencies(steps);
  const filled = filledWithSamples(steps, parameters).map(({ id, type, config = {} }, at) => ({
    id,
    type,
    config,
    depends_on: before[at] ?? [],
  }));
  const policies = await rulesOfPolicies(
    scope,
    filled.flatMap((step) => policyNamed(step) ?? []),
  );
  const ofPolicies = filled.flatMap((step, at) => {
    const rules = policies.get(policyNamed(step) ?? '');
    return rules === undefined ? [] : policyErrors(rules, `/steps/${at}`, submission);
  });
  return [...namingErrors(filled, { submission }), ...ofPolicies];
}

/** Returns the errors of the names `submission/…` in a policy. Its other names can belong to other workflows. */
function policyErrors(rules: Rules, at: string, submission: MappingInputs): FieldError[] {
  const stepOf = () => undefined;
  const inputs = inputsOfStep(stepOf, { submission });
  const get = (name: string): Field | undefined => (placeOf(name, stepOf) ? inputs.fieldOf(name) : { id: name, type: 'hidden' });
  const errorsOf = ({ when, at: member }: { when: Condition; at: string }) =>
    checkCondition(when, { at: `${at}/${member}`, name: 'when', get, unknown: unknownField(inputs) });
  return conditionsOfRules({ config: { approval: rules } }).flatMap(errorsOf);
}
