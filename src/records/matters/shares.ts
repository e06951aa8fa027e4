import { sharingOf } from '#access';
import { keepFolder } from '#folders';
import { readableMatter } from './access.ts';
import { matterShared as shared, matterUnshared as unshared } from './events.ts';

/** Shares of matters. They are grants of the root folder, so its content inherits them. */
export const matterSharing = sharingOf({
  type: 'matter',
  grantsOf: 'folder',
  noun: 'matter',
  queries: { hold: keepFolder },
  acts: { shared, unshared },
  find: async (scope, id) => {
    const { root, access } = await readableMatter(scope, id);
    return { id: root.id, owner: root.user_id, since: root.created_at, access };
  },
});
