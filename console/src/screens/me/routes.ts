import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

const profile = createRoute({
  path: '/me',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./profile.tsx'), 'ProfilePage'),
});
const security = createRoute({
  path: '/me/security',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./security.tsx'), 'SecurityPage'),
});
const apps = createRoute({
  path: '/me/apps',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./connected-apps.tsx'), 'ConnectedAppsPage'),
});

export const meRoutes = [profile, security, apps] as const;
