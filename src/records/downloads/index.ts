import { defineDomain } from '../../platform/domain.ts';
import { dropExpiredAddresses } from './jobs.ts';
import { downloadRoutes } from './routes.ts';
import { downloadTables } from './tables.ts';

/** Addresses for downloads: a browser opens one without a header. Each is valid for one download within a minute, as its caller. */
export const domain = defineDomain({
  name: 'downloads',
  tables: downloadTables,
  description: () => import('./description.ts'),
  open: ({ database }) => ({
    exports: undefined,
    routes: (app) => downloadRoutes(app),
    periodic: [{ name: 'download-drop', cron: '* * * * *', run: () => dropExpiredAddresses(database) }],
  }),
});
