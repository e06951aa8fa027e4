import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

export const askSteps = ['who', 'where', 'send'] as const;
export type AskStep = (typeof askSteps)[number];

const ask = createRoute({
  path: '/signatures/new',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./ask.tsx'), 'AskForSignatures'),
  validateSearch: ({ document, step }: Record<string, unknown>): { document?: string; step?: AskStep } => ({
    ...(typeof document === 'string' ? { document } : {}),
    ...(askSteps.includes(step as AskStep) ? { step: step as AskStep } : {}),
  }),
});

export const askRoutes = [ask] as const;
