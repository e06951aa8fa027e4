import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as agents } from '#agents';
import { domain as clients } from '#clients';
import { domain as documents } from '#documents';
import { domain as documentTemplates } from '#document-templates';
import { domain as folders } from '#folders';
import { domain as forms } from '#forms';
import { domain as journal } from '#journal';
import { domain as registries } from '#registries';
import { domain as signatures } from '#signatures';
import { domain as tasks } from '#tasks';
import { domain as workflows } from '#workflows';
import { defineDomain } from '../../platform/domain.ts';
import { ChangeFeed, changeListener } from './changes/index.ts';
import { resourceRoutes } from './routes.ts';

/** Resources of all types: their names and changes. Each domain reads the resources of its own types. */
export const domain = defineDomain({
  name: 'resources',
  uses: {
    access,
    accounts,
    agents,
    clients,
    documents,
    'document-templates': documentTemplates,
    folders,
    forms,
    journal,
    registries,
    signatures,
    tasks,
    workflows,
  },
  description: () => import('./description.ts'),
  subscribesBulk: [changeListener],
  async open({ database, listener, log }) {
    const feed = new ChangeFeed({ database, listener, report: (error) => log.warn({ err: error }, 'changes could not be read; retrying') });
    await feed.start();
    return { exports: undefined, routes: (app) => resourceRoutes(app, feed) };
  },
});
