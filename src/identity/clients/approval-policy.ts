import type { Scope } from '../../platform/scope.ts';
import { clientProblems } from './problems.ts';
import { lockApprovalPolicy } from './queries.ts';

/** Locks the approval policy that an API client, a connected app or an agent names. Errors: 404 `approval_policy_not_found`. */
export async function knownPolicy({ db, team }: Scope, name: string | null): Promise<string | null> {
  if (name === null || (!name.includes('\0') && (await db.first(lockApprovalPolicy, { team, name }))?.exists)) return name;
  throw clientProblems.approval_policy_not_found('`approvalPolicy` must name a policy of your team. List the policies and check the name.');
}
