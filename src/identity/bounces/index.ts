import { domain as accounts } from '#accounts';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { bouncesOf } from '../../platform/mail/bounce-addresses.ts';
import { bounceJob, mailBounced } from './jobs.ts';
import { bounceRoutes } from './routes.ts';
import { openBounces } from './service.ts';

/** Undelivered mails: the reports of mail servers, and the addresses that a team cannot reach. */
export const domain = defineDomain({
  name: 'bounces',
  uses: { accounts },
  description: () => import('./description.ts'),
  open: (platform) => {
    const { config, database, listeners, clock } = platform;
    const addresses = bouncesOf(platform);
    const bounces = addresses && openBounces(database, addresses);
    return {
      exports: undefined,
      routes: (app) => bounceRoutes(app, bounces, config.BOUNCE_TOKEN),
      jobs: [openJob(bounceJob, { database, listeners, clock })],
      mailBounced,
      ...(bounces && { close: () => bounces.close() }),
    };
  },
});
