import type { ConfiguredStep } from './steps.ts';
import { type StepError, stepError } from './step-errors.ts';

/** The outcomes of decisions. The callback of an endpoint cannot have them. */
const verdicts = ['approved', 'changes_requested', 'rejected'];

/** Whether a step calls an endpoint and waits for its callback. */
export const waitsForAnswer = ({ type, config }: ConfiguredStep): boolean => type === 'webhook' && config.waitForAnswer === true;

/** Returns the endpoint of a step that waits for a callback. */
export const endpointOf = ({ config }: { config: Readonly<Record<string, unknown>> }): string => String(config.endpointId).toLowerCase();

/** Returns the outcomes that the callback of the endpoint may have. */
export const answersOf = ({ config: { outcomes } }: { config: Readonly<Record<string, unknown>> }): readonly string[] =>
  Array.isArray(outcomes) ? outcomes.map(String) : ['completed'];

/** Returns the errors in the settings of a webhook step. The settings fit their schema. */
export function webhookErrors(config: Record<string, unknown>): StepError[] {
  const { endpointId, waitForAnswer, outcomes } = config;
  if (waitForAnswer !== true)
    return ['endpointId', 'outcomes', 'timeoutHours'].flatMap((member) =>
      config[member] === undefined ? [] : [stepError(`config/${member}`, 'belongs to a step with `waitForAnswer: true`')],
    );
  return [
    ...(endpointId === undefined ? [stepError('config/endpointId', 'must be the id of a webhook endpoint', 'required')] : []),
    ...(Array.isArray(outcomes) && outcomes.some((one) => verdicts.includes(one))
      ? [stepError('config/outcomes', `cannot be ${verdicts.join(', ')}: an endpoint cannot decide on a document`)]
      : []),
  ];
}
