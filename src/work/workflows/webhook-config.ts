import { type Fault, fault } from './step-faults.ts';

/** How decisions end, which an endpoint does not take. */
const verdicts = ['approved', 'changes_requested', 'rejected'];

/** Whether a step asks an endpoint and waits for its answer. */
export const waitsForAnswer = ({ type, config }: { type: string; config: Readonly<Record<string, unknown>> }): boolean =>
  type === 'webhook' && config.waitForAnswer === true;

/** The endpoint that such a step asks. */
export const endpointOf = ({ config }: { config: Readonly<Record<string, unknown>> }): string => String(config.endpointId).toLowerCase();

/** What may be answered to such a step. */
export const answersOf = ({ config: { outcomes } }: { config: Readonly<Record<string, unknown>> }): readonly string[] =>
  Array.isArray(outcomes) ? outcomes.map(String) : ['completed'];

/** Returns the errors in the settings of a webhook step. The settings fit their schema. */
export function webhookFaults(config: Record<string, unknown>): Fault[] {
  const { endpointId, waitForAnswer, outcomes } = config;
  if (waitForAnswer !== true)
    return ['endpointId', 'outcomes', 'timeoutHours'].flatMap((member) =>
      config[member] === undefined ? [] : [fault(`config/${member}`, 'belongs to a step with `waitForAnswer: true`')],
    );
  return [
    ...(endpointId === undefined ? [fault('config/endpointId', 'must be the id of a webhook endpoint', 'required')] : []),
    ...(Array.isArray(outcomes) && outcomes.some((one) => verdicts.includes(one))
      ? [fault('config/outcomes', `cannot be ${verdicts.join(', ')}: an endpoint decides on no document`)]
      : []),
  ];
}
