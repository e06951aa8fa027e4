import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as clients } from '#clients';
import { domain as documents } from '#documents';
import { domain as fields } from '#fields';
import { domain as tasks } from '#tasks';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { policyRoutes, policyTables } from './policies/index.ts';
import { roundExpiry, roundRoutes, voteListeners } from './rounds/index.ts';
import { approvalTables } from './tables.ts';

/**
 * Approvals. A policy says how many people of which groups must approve. A round asks these people. Votes are tasks. A
 * round ends as soon as its result cannot change.
 */
export const domain = defineDomain({
  name: 'approvals',
  uses: { accounts, access, teams, clients, documents, tasks, fields },
  tables: { ...approvalTables, ...policyTables },
  description: () => import('./description.ts'),
  subscribes: { usual: voteListeners },
  open: ({ database, listeners }) => ({
    exports: undefined,
    routes: (app) => {
      policyRoutes(app);
      roundRoutes(app);
    },
    periodic: [
      {
        name: roundExpiry.job,
        cron: '* * * * *',
        run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, roundExpiry, now),
      },
    ],
  }),
});

export {
  approvalDecided,
  approvalVoided,
  beginRound,
  expireRound,
  roundExpiry,
  type RoundFailure,
  roundProblems,
  type RoundRules,
  type RoundSubject,
  voidRound,
  joinRoundSql,
  voidRounds,
} from './rounds/index.ts';

export { lockPolicies, policyNames, refuseTooMany, rulesOfPolicies, type StoredPolicy, tooManyCandidates } from './policies/index.ts';
export { canFill, emptyPlaces, fillPlaces, type OnRejection, roundResult, type RoundResult, type Seats } from './quorum.ts';
export {
  type ApproverSource,
  type ChosenRule,
  chooseRule,
  decidingRoles,
  defaultExclusions,
  type Exclusion,
  exclusions,
  type Rule,
  ruleErrors,
  ruleLimits,
  ruleMembers,
  type Rules,
  type RulesInput,
  sourceOf,
  withDefaults,
  withoutRequester,
} from './rules.ts';
