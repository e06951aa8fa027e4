import type { Transaction } from '../../platform/database/database.ts';

/** What a published form has of a registry: the fields that it writes into or shows. */
export type Binding = { fields: readonly string[] };

/** Says which published forms are bound to a registry. Asked under the registry's lock, under which forms are bound. */
export type AskBindings = (scope: { db: Transaction; team: string }, registryId: string) => Promise<readonly Binding[]>;

/** Whoever knows of forms is asked; this domain knows of none. */
export function openBindings(): { ask: AskBindings; answeredBy: (answer: AskBindings) => void } {
  const sources: AskBindings[] = [];
  return {
    ask: async (scope, registryId) => {
      const found: Binding[] = [];
      for (const answer of sources) found.push(...(await answer(scope, registryId)));
      return found;
    },
    answeredBy: (answer) => void sources.push(answer),
  };
}
