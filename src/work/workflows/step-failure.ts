import { pipelined } from '../../platform/database/pipelined.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { aboutStep } from './event-data.ts';
import { writeSteps } from './ending.ts';
import { stepFailed } from './events.ts';
import type * as queries from './queries.ts';
import { askAboutFailed } from './step-tasks.ts';

/** Fails a step with the code `why`, and asks an administrator how to continue. `detail` has the reason for people. */
export async function recordStepFailure(
  scope: Scope,
  row: queries.WorkflowRow,
  step: queries.StepRow,
  why: string,
  detail: string | null = null,
): Promise<void> {
  Object.assign(step, { status: 'failed', outcome: why, detail, wake_at: null, nonce: null });
  await pipelined([
    () => writeSteps(scope, row, [step]),
    () => record(scope, stepFailed, row.id, aboutStep(step), row.barred),
    () => askAboutFailed(scope, row, step, why),
  ]);
}
