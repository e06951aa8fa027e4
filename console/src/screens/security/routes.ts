import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

const barriers = createRoute({
  path: '/settings/barriers',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./barriers/barriers.tsx'), 'BarriersPage'),
});
const barrier = createRoute({
  path: '/settings/barriers/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./barriers/barrier.tsx'), 'BarrierPage'),
});
const sso = createRoute({
  path: '/settings/sso',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./sso/sso.tsx'), 'SsoPage'),
});
const newConnection = createRoute({
  path: '/settings/sso/new',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./sso/new-connection.tsx'), 'NewConnection'),
});
const connection = createRoute({
  path: '/settings/sso/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./sso/connection.tsx'), 'ConnectionPage'),
});
const directories = createRoute({
  path: '/settings/directories',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./directories/directories.tsx'), 'DirectoriesPage'),
});
const newDirectory = createRoute({
  path: '/settings/directories/new',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./directories/new-directory.tsx'), 'NewDirectory'),
});
const directory = createRoute({
  path: '/settings/directories/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./directories/directory.tsx'), 'DirectoryPage'),
});
const retention = createRoute({
  path: '/settings/retention',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./retention/retention.tsx'), 'RetentionPage'),
});
const rule = createRoute({
  path: '/settings/retention/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./retention/rule.tsx'), 'RulePage'),
});

export const securityRoutes = [
  barriers,
  barrier,
  sso,
  newConnection,
  connection,
  directories,
  newDirectory,
  directory,
  retention,
  rule,
] as const;
