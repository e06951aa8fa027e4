import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

const list = createRoute({
  path: '/templates',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./templates.tsx'), 'Templates'),
});

const teamTemplates = createRoute({
  path: '/templates/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./fill.tsx'), 'FillTemplate'),
});

const ofLibrary = createRoute({
  path: '/templates/library/$slug',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./fill.tsx'), 'FillLibraryTemplate'),
});

export const templateRoutes = [list, teamTemplates, ofLibrary] as const;
