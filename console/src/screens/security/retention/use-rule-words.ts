import type { RetentionRule } from '@chancery/client';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { usePeriod } from './period.ts';
import { retentionTexts } from './texts.ts';

/** Returns functions that describe the action of a rule and its state. */
export function useRuleWords(): { ruleOf: (rule: RetentionRule) => string; stateOf: (rule: RetentionRule) => string } {
  const words = useTexts(retentionTexts);
  const format = useFormat();
  const period = usePeriod();
  return {
    ruleOf: ({ action, after, from }) => words.ruleOf[action](period(after), words.froms[from]),
    stateOf: ({ effectiveFrom, waitingDocuments = 0 }) => {
      if (waitingDocuments > 0) return words.waits(waitingDocuments);
      return Date.parse(effectiveFrom) > Date.now() ? words.appliesFrom(format.date(effectiveFrom)) : words.applies;
    },
  };
}
