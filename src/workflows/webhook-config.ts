import { isUuid } from '../platform/identifiers.ts';
import { areOutcomes, type Fault, fault, outcomesFault, pointerPart } from './step-faults.ts';
import { timeoutFaults } from './step-timeout.ts';

const webhookMembers = ['endpointId', 'waitForAnswer', 'outcomes', 'timeoutHours'];
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

/** What is wrong with the settings of a webhook step. */
export function webhookFaults(config: Record<string, unknown>): Fault[] {
  const { endpointId, waitForAnswer, outcomes, timeoutHours: hours } = config;
  const waits = waitForAnswer === true;
  const lone = ['endpointId', 'outcomes', 'timeoutHours'].filter((member) => !waits && config[member] !== undefined);
  return [
    ...Object.keys(config)
      .filter((member) => !webhookMembers.includes(member))
      .map((member) =>
        fault(`config/${pointerPart(member)}`, 'is not known: a webhook step takes endpointId, waitForAnswer, outcomes and timeoutHours'),
      ),
    ...(waitForAnswer === undefined || typeof waitForAnswer === 'boolean' ? [] : [fault('config/waitForAnswer', 'must be true or false')]),
    ...lone.map((member) => fault(`config/${member}`, 'belongs to a step with `waitForAnswer: true`')),
    ...(waits && !(typeof endpointId === 'string' && isUuid(endpointId))
      ? [fault('config/endpointId', 'must be the id of a webhook endpoint', 'uuid')]
      : []),
    ...(waits && outcomes !== undefined && !areOutcomes(outcomes) ? [outcomesFault] : []),
    ...(Array.isArray(outcomes) && outcomes.some((one) => verdicts.includes(one))
      ? [fault('config/outcomes', `cannot be ${verdicts.join(', ')}: an endpoint decides on no document`)]
      : []),
    ...timeoutFaults(hours),
  ];
}
