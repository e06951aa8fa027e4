import { domain as forms } from '#forms';
import { domain as registries } from '#registries';
import { domain as signatures } from '#signatures';
import { domain as tasks } from '#tasks';
import { domain as webhooks } from '#webhooks';
import { defineDomain } from '../../platform/domain.ts';
import { inboxRoutes } from './routes.ts';

/** The inbox: the work of all domains that waits for the caller. Each domain selects its own, by the rules of its lists. */
export const domain = defineDomain({
  name: 'inbox',
  uses: { forms, registries, signatures, tasks, webhooks },
  description: () => import('./description.ts'),
  open: () => ({ exports: undefined, routes: (app) => inboxRoutes(app) }),
});
