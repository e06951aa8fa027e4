import { openSharing } from '#folders';
import { readableRegistry } from './access.ts';
import { registryShared, registryUnshared } from './events.ts';
import { registryGrants } from './queries.ts';

/** Who else has a registry: to read its records, or to write them. */
export const registrySharing = openSharing({
  noun: 'registry',
  grants: registryGrants,
  readable: async (scope, id) => {
    const { registry: thing, access } = await readableRegistry(scope, id);
    return { thing, access };
  },
  shared: registryShared,
  unshared: registryUnshared,
});
