import { defineProblems } from '../../platform/problems.ts';

export const workingTimeProblems = defineProblems({
  working_time_invalid: {
    status: 422,
    title: 'The working time cannot be used as it is',
    help: 'The day ends before it begins, holidays of the place are not known, or no working day is left in a year; `errors` says which.',
  },
});

/** The refusal of one member of a working time. */
export function invalidWorkingTime(pointer: string, reason: string) {
  return workingTimeProblems.working_time_invalid(`\`${pointer}\` ${reason}.`, {
    errors: [{ name: pointer.split('/').at(-1) ?? '', pointer, reason, rule: 'working-time' }],
  });
}
