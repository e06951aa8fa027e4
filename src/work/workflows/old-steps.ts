import { isOldCondition } from './conditions.ts';
import { unknownMembers } from './schema-errors.ts';
import { type StoredStep, storedStepsAfter } from './step-queries.ts';

/** The stored steps that break a newer rule, and the reasons. */
export const oldSteps = {
  rows: storedStepsAfter,
  reasonsOf: (step: StoredStep): string[] => [
    ...(isOldCondition(step) ? ['is skipped if an answer that `when` needs is missing: set `config.onMissing`'] : []),
    ...unknownMembers([step]).map((pointer) => `${pointer.replace('/steps/0/', '')} is unknown and has no effect`),
  ],
};
