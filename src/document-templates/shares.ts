import { openSharing } from '#folders';
import { readableTemplate } from './access.ts';
import { templateShared, templateUnshared } from './events.ts';
import { templateGrants } from './queries.ts';

/** Who else has a template: to use it, or to change it. */
export const templateSharing = openSharing({
  noun: 'template',
  grants: templateGrants,
  readable: async (scope, id) => {
    const { template: thing, access } = await readableTemplate(scope, id);
    return { thing, access };
  },
  shared: templateShared,
  unshared: templateUnshared,
});
