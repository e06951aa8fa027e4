import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';
import { inboxSearch } from './search.ts';

const list = createRoute({
  path: '/',
  getParentRoute: () => shellRoute,
  validateSearch: inboxSearch,
  component: lazyRouteComponent(() => import('./inbox.tsx'), 'Inbox'),
});

/** An item without a screen of its own. `parent` is its form, registry or webhook endpoint. */
const item = createRoute({
  path: '/inbox/$kind/$parent/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./item-page.tsx'), 'ItemPage'),
});

/** The tasks are a part of the inbox. */
const tasks = createRoute({
  path: '/tasks',
  getParentRoute: () => shellRoute,
  beforeLoad: () => {
    throw redirect({ to: '/', search: { kind: 'task' } });
  },
});

export const inboxRoutes = [list, item, tasks] as const;
