import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';
import { documentPageSearch } from './tabs.ts';

const page = createRoute({
  path: '/documents/$id',
  getParentRoute: () => shellRoute,
  validateSearch: documentPageSearch,
  component: lazyRouteComponent(() => import('./document.tsx'), 'DocumentPage'),
});

export const documentPageRoutes = [page] as const;
