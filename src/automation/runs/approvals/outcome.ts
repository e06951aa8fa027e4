import { managersOf } from '#teams';
import type { Reader, Transaction } from '../../../platform/database/database.ts';

/** The result of a call that was sent and got no response, if no person reported its outcome. */
export const unknownOutcome = {
  error: 'outcome_unknown',
  detail: 'The call was sent, and its outcome is unknown. It is not sent again. Report this in your response, so that a person checks it.',
};

/** The result of a call, for the model, after a person reported its outcome. */
export const reportedOutcomes = {
  happened: { outcome: 'happened', detail: 'A person checked that the call was executed. Its result is unknown.' },
  not_happened: {
    error: 'not_happened',
    detail: 'A person checked that the call was not executed. Request it again if it is still needed.',
  },
};

/**
 * Returns the person who checks the outcome of a call. This is the owner of the run, if that person can manage the team. Otherwise it is the owner of
 * the team, or an administrator.
 */
export async function findOutcomeReporter(
  { db, team }: { db: Reader | Transaction; team: string },
  run: { on_behalf_of: string },
): Promise<string | undefined> {
  const managers = await db.all(managersOf, { team });
  const [first] = managers;
  const reporter = managers.find(({ id }) => id === run.on_behalf_of) ?? managers.find(({ role }) => role === 'owner') ?? first;
  return reporter?.id;
}
