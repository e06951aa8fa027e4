import { createRouter } from '@tanstack/react-router';
import { consoleAddress } from './address.ts';
import { askRoutes } from './screens/ask/routes.ts';
import { documentPageRoutes } from './screens/document/routes.ts';
import { documentRoutes } from './screens/documents/routes.ts';
import { inboxRoutes } from './screens/inbox/routes.ts';
import { matterRoutes } from './screens/matters/routes.ts';
import { meRoutes } from './screens/me/routes.ts';
import { securityRoutes } from './screens/security/routes.ts';
import { settingsRoutes } from './screens/settings/routes.ts';
import { signInRoutes } from './screens/sign-in/routes.ts';
import { signatureRoutes } from './screens/signatures/routes.ts';
import { taskRoutes } from './screens/task/routes.ts';
import { templateRoutes } from './screens/templates/routes.ts';
import { workflowRoutes } from './screens/workflows/routes.ts';
import { missingRoute, rootRoute, shellRoute } from './shell/root-routes.ts';
import { RouteError } from './shell/route-error.tsx';

/** All screens. The folder of a screen has its routes. */
const routeTree = rootRoute.addChildren([
  ...signInRoutes,
  shellRoute.addChildren([
    ...inboxRoutes,
    ...taskRoutes,
    ...documentRoutes,
    ...documentPageRoutes,
    ...workflowRoutes,
    ...signatureRoutes,
    ...askRoutes,
    ...templateRoutes,
    ...matterRoutes,
    ...settingsRoutes,
    ...securityRoutes,
    ...meRoutes,
    missingRoute,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: consoleAddress,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: RouteError,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
