import { isOldCondition } from './conditions.ts';
import { unknownMembers } from './schema-errors.ts';
import { type StoredStep, storedStepsAfter } from './step-queries.ts';

/** The stored steps, and why a new rule would refuse one. */
export const oldSteps = {
  rows: storedStepsAfter,
  reasonsOf: (step: StoredStep): string[] => [
    ...(isOldCondition(step) ? ['is skipped where an answer that `when` needs is missing: give `config.onMissing`'] : []),
    ...unknownMembers([step]).map((pointer) => `${pointer.replace('/steps/0/', '')} is not known and does nothing`),
  ],
};
