import { openSharing } from '#access';
import { readableTemplate } from './access.ts';
import { templateSharingActs as acts } from './events.ts';
import { templates as queries } from './queries.ts';

/** Shares of templates, to use or to change them. */
export const templateSharing = openSharing({
  type: 'template',
  noun: 'template',
  queries,
  acts,
  find: async (scope, id) => {
    const { template, access } = await readableTemplate(scope, id);
    return { id: template.id, owner: template.user_id, since: template.created_at, access };
  },
});
