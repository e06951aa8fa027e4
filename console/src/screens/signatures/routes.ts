import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

export const requestTabs = ['waiting', 'stalled', 'done', 'ended'] as const;
export type RequestTab = (typeof requestTabs)[number];
/** The filters of the list. */
export type RequestSearch = { tab?: RequestTab; q?: string; mine?: true };

const list = createRoute({
  path: '/signatures',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./signatures.tsx'), 'Signatures'),
  validateSearch: ({ tab, q, mine }: Record<string, unknown>): RequestSearch => ({
    ...(requestTabs.includes(tab as RequestTab) ? { tab: tab as RequestTab } : {}),
    ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}),
    ...(mine === true ? { mine } : {}),
  }),
});

const page = createRoute({
  path: '/signatures/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./request.tsx'), 'RequestPage'),
});

export const signatureRoutes = [list, page] as const;
