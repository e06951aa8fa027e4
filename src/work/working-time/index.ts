import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { workingTimeRoutes } from './routes.ts';
import { workingTimeHolidays } from './service.ts';
import { workingTimeTables } from './tables.ts';

/** Working time: the working days and hours of a team, with its public holidays. Due dates in working days use it. */
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

export { daysBefore, endOfWorkingDay, type WorkingTime } from './business-days.ts';
export { teamWorkingTime } from './service.ts';
