import { defineProblems } from '../../../platform/problems.ts';

export const policyProblems = defineProblems({
  approval_policy_invalid: {
    status: 422,
    title: 'Invalid approval policy',
    help: 'The rules break a limit or name an unknown person, group, role or field. `errors` has the pointer and the reason of each error.',
  },
  approval_policy_exists: {
    status: 409,
    title: 'Policy name in use',
    help: 'The team already has a policy of this name. Change it with `PUT`, or choose another name.',
  },
  approval_policy_limit: {
    status: 409,
    title: 'Too many approval policies',
    help: 'A team has at most 200 policies. Delete policies that are no longer used.',
  },
  policy_in_use: {
    status: 409,
    title: 'The policy is in use',
    help: 'Workflow templates, unfinished workflows, agents, API clients or connected apps name the policy: `places` lists them. Change them first. Open rounds keep their rules.',
  },
});
