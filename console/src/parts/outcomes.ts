import { defineTexts, useTexts } from '../texts/texts.ts';

/** The outcomes of tasks: as a verb on a button, and as a result. A workflow can define others, which are shown as its author wrote them. */
const outcomeTexts = defineTexts({
  en: {
    verbs: {
      approved: 'Approve',
      changes_requested: 'Ask for changes',
      rejected: 'Reject',
      completed: 'Complete',
      acknowledged: 'Acknowledge',
      denied: 'Deny',
      happened: 'It happened',
      not_happened: 'It did not happen',
      retry: 'Try again',
      begin: 'Begin the step',
      skip: 'Skip the step',
      cancel: 'Cancel the workflow',
      signed_elsewhere: 'Signed outside Chancery',
      declined: 'Decline',
    },
    results: {
      approved: 'Approved',
      changes_requested: 'Changes requested',
      rejected: 'Rejected',
      completed: 'Completed',
      acknowledged: 'Acknowledged',
      denied: 'Denied',
      happened: 'Happened',
      not_happened: 'Did not happen',
      retry: 'Repeated',
      begin: 'Begun',
      skip: 'Skipped',
      cancel: 'Cancelled',
      submitted: 'Submitted',
      signed: 'Signed',
      signed_elsewhere: 'Signed outside Chancery',
      declined: 'Declined',
    },
  },
  de: {
    verbs: {
      approved: 'Freigeben',
      changes_requested: 'Änderungen verlangen',
      rejected: 'Ablehnen',
      completed: 'Erledigen',
      acknowledged: 'Zur Kenntnis nehmen',
      denied: 'Verweigern',
      happened: 'Es ist geschehen',
      not_happened: 'Es ist nicht geschehen',
      retry: 'Erneut versuchen',
      begin: 'Schritt beginnen',
      skip: 'Schritt überspringen',
      cancel: 'Ablauf abbrechen',
      signed_elsewhere: 'Außerhalb unterschrieben',
      declined: 'Ablehnen',
    },
    results: {
      approved: 'Freigegeben',
      changes_requested: 'Änderungen verlangt',
      rejected: 'Abgelehnt',
      completed: 'Erledigt',
      acknowledged: 'Zur Kenntnis genommen',
      denied: 'Verweigert',
      happened: 'Geschehen',
      not_happened: 'Nicht geschehen',
      retry: 'Wiederholt',
      begin: 'Begonnen',
      skip: 'Übersprungen',
      cancel: 'Abgebrochen',
      submitted: 'Ausgefüllt',
      signed: 'Unterschrieben',
      signed_elsewhere: 'Außerhalb unterschrieben',
      declined: 'Abgelehnt',
    },
  },
});

type OutcomeWords = { verb: (outcome: string) => string; result: (outcome: string) => string };

export function useOutcomes(): OutcomeWords {
  const { verbs, results }: Record<'verbs' | 'results', Readonly<Record<string, string>>> = useTexts(outcomeTexts);
  return { verb: (outcome) => verbs[outcome] ?? outcome, result: (outcome) => results[outcome] ?? outcome };
}

const negative = new Set(['rejected', 'denied', 'declined', 'cancel']);
/** Whether an outcome stops work of others. The console asks before it sends one. */
export const isNegative = (outcome: string): boolean => negative.has(outcome);

/** The letter of an outcome: `a` agrees, `c` asks for changes, `r` refuses. */
export function keyOf(outcome: string, outcomes: readonly string[]): 'a' | 'c' | 'r' | undefined {
  if (outcome === 'changes_requested') return 'c';
  if (outcome === 'rejected' || outcome === 'denied' || outcome === 'declined') return 'r';
  return outcome === outcomes[0] ? 'a' : undefined;
}

type Decidable = { type: string; status: string; outcomes: readonly string[] };
/** The outcomes that the console offers. A signature outside the service is recorded by an operation of its own. */
export const outcomesOf = ({ type, outcomes }: Decidable): readonly string[] =>
  type === 'signature' ? ['signed_elsewhere', 'declined'] : outcomes;
