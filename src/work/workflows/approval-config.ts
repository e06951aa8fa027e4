import { ruleErrors, type RulesInput, sourceOf, withDefaults, type Rules } from '#approvals';
import type { Condition, Field } from '#fields';
import type { StepInput } from './schemas.ts';
import { type StepError, stepError } from './step-errors.ts';

type Configured = { config: Readonly<Record<string, unknown>> };

/** Whether an approval round decides a step. */
export const asksRound = ({ config }: Configured): boolean => config.approval !== undefined;

/** Returns the approval rules of a step. They were checked when the step was stored. */
const inputOf = ({ config: { approval } }: Configured): RulesInput | undefined =>
  typeof approval === 'object' && approval !== null && 'rules' in approval ? (approval as RulesInput) : undefined;

/** Returns the name of the approval policy of a step. */
export const policyNamed = ({ config: { approval } }: Configured): string | undefined =>
  typeof approval === 'object' && approval !== null && 'policy' in approval ? String(approval.policy) : undefined;

/** Returns the approval rules of a step with their defaults. */
export function rulesOfStep(step: Configured): Rules | undefined {
  const input = inputOf(step);
  return input && withDefaults(input);
}

/** Returns the conditions of the approval rules of a step, each with its pointer in the step. */
export const conditionsOfRules = (step: Configured): { when: Condition; at: string }[] =>
  (inputOf(step)?.rules ?? []).flatMap(({ when }, index) =>
    when === undefined ? [] : [{ when, at: `config/approval/rules/${index}/when` }],
  );

/** Returns the members or groups that the approval rules of steps name. */
export const namedInRules = (steps: readonly Configured[], kind: 'user' | 'group'): string[] =>
  steps.flatMap((step) =>
    (inputOf(step)?.rules ?? []).flatMap(({ need }) =>
      need.flatMap(({ from }) =>
        from.flatMap((one) => {
          const source = sourceOf(one);
          return source?.kind === kind ? [source.value] : [];
        }),
      ),
    ),
  );

const shortForms = ['assignedTo', 'assignees', 'groups'] as const;

/** The names that conditions may use. `unknown` returns the error of another name. */
export type ConditionNames = { fieldOf: (name: string) => Field | undefined; unknown: (name: string) => string };

/** Returns the errors of a step with approval rules that fit their schema. */
export function approvalErrors(step: StepInput, names: () => ConditionNames): StepError[] {
  const config = step.config ?? {};
  if (!asksRound({ config }))
    return config.documents === undefined || (step.type !== 'approval' && step.type !== 'review')
      ? []
      : [stepError('config/documents', 'belongs to a step with `approval`; use `document`')];
  const input = inputOf({ config });
  const isGiven = (member: (typeof shortForms)[number]) => step[member] !== undefined && step[member].length > 0;
  // Responses have the default mode of each step, so a request may repeat it.
  const twice = [...shortForms.filter(isGiven), ...(step.mode === 'any' ? (['mode'] as const) : [])];
  const escalate = Array.isArray(config.escalate) ? (config.escalate as { reassign?: boolean }[]) : [];
  return [
    ...twice.map((member) => stepError(member, 'cannot be combined with config.approval, whose rules choose the people', 'oneOf')),
    ...escalate.flatMap(({ reassign }, index) =>
      reassign === true
        ? [stepError(`config/escalate/${index}/reassign`, 'cannot be combined with config.approval: the rules choose who votes', 'oneOf')]
        : [],
    ),
    ...(input === undefined
      ? []
      : ruleErrors(input, { at: 'config/approval', ...names() }).map(({ pointer, reason, rule }) => stepError(pointer, reason, rule))),
    ...oneOfErrors(config.approval as object),
    ...(config.document !== undefined && config.documents !== undefined
      ? [stepError('config/documents', 'cannot be combined with document', 'oneOf')]
      : []),
  ];
}

/** A step has a policy or its own rules. */
function oneOfErrors(approval: object): StepError[] {
  const { policy, rules, ...others } = approval as { policy?: unknown; rules?: unknown };
  if (policy === undefined && rules === undefined) return [stepError('config/approval', 'must have `policy` or `rules`', 'oneOf')];
  const extra = policy === undefined ? [] : Object.keys(rules === undefined ? others : { rules, ...others });
  return extra.map((member) => stepError(`config/approval/${member}`, 'cannot be combined with `policy`, which has its own', 'oneOf'));
}
