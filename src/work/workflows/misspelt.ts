import { nearestName } from '../../platform/http/known-members.ts';
import { workflowProblems } from './problems.ts';
import { step, stepInput } from './schemas.ts';
import { pointerPart } from './step-errors.ts';

/** The members that steps may have in requests and responses. */
const known = new Set([...Object.keys(stepInput.properties), ...Object.keys(step.properties)]);
const taken = Object.keys(stepInput.properties);

/**
 * Rejects a step with an unknown member that differs by at most two letters from a known one. Other unknown members are ignored with a `Warning`.
 * Errors: 422 `workflow_steps_invalid`.
 */
export function rejectUnknownNames(body: unknown): void {
  const { steps } = (body ?? {}) as { steps?: unknown };
  const errors = (Array.isArray(steps) ? steps : []).flatMap((one: unknown, index) =>
    Object.keys(typeof one === 'object' && one !== null ? one : {}).flatMap((name) => {
      const nearest = known.has(name) ? undefined : nearestName(name, taken, 2);
      const pointer = `/steps/${index}/${pointerPart(name)}`;
      return nearest === undefined ? [] : [{ name, pointer, reason: `is not known: did you mean \`${nearest}\`?`, rule: 'unknown' }];
    }),
  );
  const [first] = errors;
  if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}`, { errors: errors.slice(0, 20) });
}
