import { defineProblems } from '../../platform/problems.ts';

export const workingTimeProblems = defineProblems({
  working_time_invalid: {
    status: 422,
    title: 'Invalid working time',
    help: 'The working day ends before it begins, Chancery has no holidays for the place, or a year has no working day. `errors` gives the reason.',
  },
});

/** Returns the error of one member of a working time. */
export function invalidWorkingTime(pointer: string, reason: string) {
  return workingTimeProblems.working_time_invalid(`\`${pointer}\` ${reason}.`, {
    errors: [{ name: pointer.split('/').at(-1) ?? '', pointer, reason, rule: 'working-time' }],
  });
}
