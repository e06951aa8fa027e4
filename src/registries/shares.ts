import { openSharing } from '#access';
import { readableRegistry } from './access.ts';
import { registryShared, registryUnshared } from './events.ts';
import { holdRegistry } from './queries.ts';

/** Shares of registries: to read their records, or to write them. */
export const registrySharing = openSharing({
  type: 'registry',
  noun: 'registry',
  hold: holdRegistry,
  find: async (scope, id) => {
    const { registry: resource, access } = await readableRegistry(scope, id);
    return { resource, access };
  },
  shared: registryShared,
  unshared: registryUnshared,
});
