import { amountsWithoutCurrency } from './definition.ts';
import { definitionsWithAmountsAfter } from './queries.ts';
import type { Definition } from './schemas.ts';

/** The stored forms with amount fields, and the errors that the currency rule would report for them. */
export const oldForms = {
  rows: definitionsWithAmountsAfter,
  reasonsOf: ({ definition }: { definition: Definition }): string[] =>
    amountsWithoutCurrency(definition).map(({ pointer, reason }) => `${pointer} ${reason}`),
};
