import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';
import { documentFilters } from './filters.ts';

const list = createRoute({
  path: '/documents',
  getParentRoute: () => shellRoute,
  validateSearch: documentFilters,
  component: lazyRouteComponent(() => import('./documents.tsx'), 'Documents'),
});

const bin = createRoute({
  path: '/documents/bin',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./bin.tsx'), 'DocumentBin'),
});

export const documentRoutes = [list, bin] as const;
