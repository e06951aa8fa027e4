import { lockPolicies, voidRound, withoutRequester } from '#approvals';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { approvalRequested } from '../events.ts';
import { addRunEvent } from '../stream/index.ts';
import { reasonNotToRequest } from './ask.ts';
import { beginCallRound } from './call-rounds.ts';
import * as queries from './queries.ts';

type RoundRequest = {
  run: { id: string; agent_id: string; on_behalf_of: string };
  call: { id: string; tool: string; arguments: unknown };
  /** The hash of the exact request. */
  hash: string;
  shown: { title: string; text: string };
  /** The name of the approval policy. */
  policy: string;
  fourEyes: boolean;
  /** Whether a person may approve the call. */
  admits: (person: string) => Promise<boolean>;
};

/**
 * Voids the approved round of a call that changed after the approval, so that the call asks again. The caller must hold
 * the locks of the round and the run.
 */
export async function withdrawApproval(scope: Scope, run: string, { id, round }: { id: string; round: string }): Promise<void> {
  await voidRound(scope, round, 'call_changed');
  await scope.db.first(queries.askAgain, { team: scope.team, run, id, round });
}

/**
 * Asks the people of an approval policy about a call of a run, with an approval round about exactly this call. The caller must hold the lock of the
 * run. Returns `asked`, or the reason why there is no round.
 */
export async function askRound(
  scope: Scope,
  { run, call, hash, shown, policy: name, fourEyes, admits }: RoundRequest,
): Promise<'asked' | 'approval_limit' | 'arguments_too_long' | 'no_approver' | 'policy_input_missing' | 'too_many_candidates'> {
  const { db, team } = scope;
  const reason = await reasonNotToRequest(scope, run.id, shown);
  if (reason !== undefined) return reason;
  const policy = (await lockPolicies(scope, [name])).get(name);
  if (!policy) return 'no_approver';
  const begun = await beginCallRound(
    scope,
    { ...call, hash, shown, requester: run.on_behalf_of, by: { id: run.agent_id, type: 'agent' }, admits },
    { rules: fourEyes ? withoutRequester(policy.rules) : policy.rules, policy: { name, version: policy.version } },
  );
  if (!('round' in begun)) return begun.code === 'no_eligible_assignee' ? 'no_approver' : begun.code;
  const { round, expires } = begun;
  const updated = await db.first(queries.askRoundForCall, { team, run: run.id, id: call.id, round, hash, expires });
  if (!updated) throw new Error(`the call ${call.id} changed under the lock of its run`);
  addRunEvent(scope, run.id, 'call.waiting', { callId: call.id, tool: call.tool, roundId: round });
  await record(scope, approvalRequested, run.id, {
    agentId: run.agent_id,
    callId: call.id,
    tool: call.tool,
    roundId: round,
    expiresAt: expires.toISOString(),
  });
  return 'asked';
}
