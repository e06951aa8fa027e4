import { openSharing } from '#access';
import { readableRegistry } from './access.ts';
import { registrySharingActs as acts } from './events.ts';
import { registries as queries } from './queries.ts';

/** Shares of registries, to read or change their records. */
export const registrySharing = openSharing({
  type: 'registry',
  noun: 'registry',
  queries,
  acts,
  find: async (scope, id) => {
    const { registry, access } = await readableRegistry(scope, id);
    return { id: registry.id, owner: registry.user_id, since: registry.created_at, access };
  },
});
