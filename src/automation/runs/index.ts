import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as agents } from '#agents';
import { domain as approvals } from '#approvals';
import { domain as documents } from '#documents';
import { domain as folders } from '#folders';
import { domain as forms } from '#forms';
import { domain as registries } from '#registries';
import { domain as tasks } from '#tasks';
import { domain as webhooks } from '#webhooks';
import { domain as workflows } from '#workflows';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { runSettings, resolveRunsSettings } from './config.ts';
import { runListeners } from './listeners.ts';
import { open } from './open.ts';
import { runTables } from './tables.ts';

/**
 * Jobs of agents and their runs: due times, one run per due time over all nodes, and results. A job runs with the rights of the person who last
 * changed its instructions, and does not run if that person has left.
 */
export const domain = defineDomain({
  name: 'runs',
  uses: { access, accounts, teams, folders, documents, tasks, workflows, registries, forms, webhooks, agents, approvals },
  settings: runSettings,
  settle: resolveRunsSettings,
  tables: runTables,
  description: () => import('./description.ts'),
  subscribes: { usual: runListeners },
  open,
});

export { beginCallRound, maxShown, memberWithScopes, readsTarget, readTarget, shownCall, type Target } from './approvals/index.ts';
