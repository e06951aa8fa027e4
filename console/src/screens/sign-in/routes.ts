import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { session } from '../../session/session.ts';
import { rootRoute } from '../../shell/root-routes.ts';
import { nextPath } from './next.ts';

type SignInSearch = { next?: string };

const signIn = createRoute({
  path: '/login',
  getParentRoute: () => rootRoute,
  component: lazyRouteComponent(() => import('./sign-in.tsx'), 'SignIn'),
  validateSearch: ({ next }: Record<string, unknown>): SignInSearch => (typeof next === 'string' ? { next } : {}),
  beforeLoad: ({ search: { next } }) => {
    if (session.state.status === 'signed in') throw redirect({ href: nextPath(next), replace: true });
  },
});

const register = createRoute({
  path: '/register',
  getParentRoute: () => rootRoute,
  component: lazyRouteComponent(() => import('./register.tsx'), 'Register'),
  validateSearch: ({ email }: Record<string, unknown>): { email?: string } => (typeof email === 'string' ? { email } : {}),
  beforeLoad: () => {
    if (session.state.status === 'signed in') throw redirect({ to: '/', replace: true });
  },
});

export const signInRoutes = [signIn, register] as const;
