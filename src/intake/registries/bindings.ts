import type { Transaction } from '../../platform/database/database.ts';

/** The fields of a registry that a published form writes or shows. */
export type Binding = { fields: readonly string[] };

/** Returns the bindings of published forms to a registry. The caller must hold the lock of the registry, which bindings of forms also acquire. */
export type AskBindings = (scope: { db: Transaction; team: string }, registryId: string) => Promise<readonly Binding[]>;

/** Collects the sources of bindings. The domain forms registers as a source, so that this domain does not depend on it. */
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
