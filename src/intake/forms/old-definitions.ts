import { amountsWithoutCurrency } from './definition.ts';
import { definitionsWithAmountsAfter } from './queries.ts';
import type { Definition } from './schemas.ts';

/** The stored forms that ask for amounts, and why a new rule would refuse one. */
export const oldForms = {
  rows: definitionsWithAmountsAfter,
  reasonsOf: ({ definition }: { definition: Definition }): string[] =>
    amountsWithoutCurrency(definition).map(({ pointer, reason }) => `${pointer} ${reason}`),
};
