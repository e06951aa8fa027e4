import { openSharing } from '#access';
import { readableTemplate } from './access.ts';
import { templateShared, templateUnshared } from './events.ts';
import { holdTemplate } from './queries.ts';

/** Shares of templates: to use them, or to change them. */
export const templateSharing = openSharing({
  type: 'template',
  noun: 'template',
  hold: holdTemplate,
  find: async (scope, id) => {
    const { template: resource, access } = await readableTemplate(scope, id);
    return { resource, access };
  },
  shared: templateShared,
  unshared: templateUnshared,
});
