import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { workingTimeRoutes } from './routes.ts';
import { workingTimeHolidays } from './service.ts';
import { workingTimeTables } from './tables.ts';

/** Working time: on which days and until when a team works, with the holidays of its place; what is due in working days is reckoned by it. */
export const domain = defineDomain({
  name: 'working-time',
  uses: { teams },
  tables: workingTimeTables,
  description: () => import('./description.ts'),
  open: ({ database, listeners }) => ({
    exports: undefined,
    routes: workingTimeRoutes,
    periodic: [
      {
        name: workingTimeHolidays.job,
        cron: '37 4 * * *',
        run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, workingTimeHolidays, now),
      },
    ],
  }),
});

export { endOfWorkingDay, type WorkingTime } from './business-days.ts';
export { teamWorkingTime } from './service.ts';
