import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { session } from '../session/session.ts';

/** The root of all screens. */
export const rootRoute = createRootRoute();

/** The search parameters of every screen. `peek` is the resource in the side panel. */
type ShellSearch = { peek?: string };

/** The parent of the screens for signed-in people. Others are sent to the sign-in, which leads back. */
export const shellRoute = createRoute({
  id: 'shell',
  getParentRoute: () => rootRoute,
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
  validateSearch: ({ peek }: Record<string, unknown>): ShellSearch => (typeof peek === 'string' ? { peek } : {}),
  beforeLoad: ({ location }) => {
    if (session.state.status !== 'signed in')
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { next: location.href } });
  },
});

/** Every address without a screen. */
export const missingRoute = createRoute({
  path: '$',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./missing.tsx'), 'Missing'),
});
