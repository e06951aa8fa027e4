import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

export const matterStates = ['open', 'pending', 'closed'] as const;
export type MatterState = (typeof matterStates)[number];
/** The filters of the list. */
export type MatterSearch = { status?: MatterState; q?: string };

const list = createRoute({
  path: '/matters',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./matters.tsx'), 'Matters'),
  validateSearch: ({ status, q }: Record<string, unknown>): MatterSearch => ({
    ...(matterStates.includes(status as MatterState) ? { status: status as MatterState } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
  }),
});
const create = createRoute({
  path: '/matters/new',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./new-matter.tsx'), 'NewMatter'),
});
const page = createRoute({
  path: '/matters/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./matter.tsx'), 'MatterPage'),
});

export const matterRoutes = [list, create, page] as const;
