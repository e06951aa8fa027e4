import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

const page = createRoute({
  path: '/tasks/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./task.tsx'), 'TaskPage'),
});

export const taskRoutes = [page] as const;
