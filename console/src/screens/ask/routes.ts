import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

const ask = createRoute({
  path: '/signatures/new',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./ask.tsx'), 'AskForSignatures'),
  validateSearch: ({ document }: Record<string, unknown>): { document?: string } => (typeof document === 'string' ? { document } : {}),
});

export const askRoutes = [ask] as const;
