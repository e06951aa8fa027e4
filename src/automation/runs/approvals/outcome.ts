import { managersOf } from '#teams';
import type { Reader, Transaction } from '../../../platform/database/database.ts';

/** What is known of a call that was sent, and of which neither an answer nor a person has told what came of it. */
export const unknownOutcome = {
  error: 'outcome_unknown',
  detail: 'The call was sent, and its outcome is unknown. It is not sent again: say so in your answer, so that a person checks it.',
};

/** What the model is told once a person has said what came of a call. */
export const toldOutcomes = {
  happened: { outcome: 'happened', detail: 'A person checked it: the call was executed. Its result is unknown.' },
  not_happened: {
    error: 'not_happened',
    detail: 'A person has looked: the call was not carried out. Where it is still wanted, ask for it again.',
  },
};

/** Who is asked what came of a call: whoever the run is for, where they run the team; its owner otherwise, or an administrator. */
export async function whoLooks(
  { db, team }: { db: Reader | Transaction; team: string },
  run: { on_behalf_of: string },
): Promise<string | undefined> {
  const managers = await db.all(managersOf, { team });
  const [first] = managers;
  const asked = managers.find(({ id }) => id === run.on_behalf_of) ?? managers.find(({ role }) => role === 'owner') ?? first;
  return asked?.id;
}
