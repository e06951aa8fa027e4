import { randomUUIDv7 } from 'node:crypto';
import { beginRound, lockPolicies, type Rules, voidRound } from '#approvals';
import { isUuid } from '../../../platform/identifiers.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { approvalRequested } from '../events.ts';
import { addRunEvent } from '../stream/index.ts';
import { reasonNotToRequest } from './ask.ts';
import * as queries from './queries.ts';

/** Hours until a round about a call expires, if its policy does not say. */
const usualHours = 24;

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

/** Returns the rules of a policy for a call. Four eyes of the agent exclude the requesters. */
function rulesFor(rules: Rules, fourEyes: boolean): Rules & { expiresInHours: number } {
  const exclude = fourEyes && !rules.exclude.includes('requester') ? [...rules.exclude, 'requester' as const] : rules.exclude;
  return { ...rules, exclude, expiresInHours: rules.expiresInHours ?? usualHours };
}

/** Returns the answers of a call for conditions: `tool`, and `arguments/<name>` for an argument. */
function answersOf({ tool, arguments: given }: RoundRequest['call']): (field: string) => unknown {
  return (field) => {
    if (field === 'tool') return tool;
    const name = field.startsWith('arguments/') ? field.slice('arguments/'.length) : undefined;
    return name !== undefined && typeof given === 'object' && given !== null && Object.hasOwn(given, name)
      ? (given as Record<string, unknown>)[name]
      : undefined;
  };
}

/** Returns the persons that the arguments of a call name, for `parameter:<name>`. */
const peopleOf = ({ arguments: given }: RoundRequest['call']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof given === 'object' && given !== null ? given : {}).flatMap(([name, value]) =>
      typeof value === 'string' && isUuid(value) ? [[name, value.toLowerCase()]] : [],
    ),
  );

/** Voids the approved round of a call that changed since, so that the call asks again. The caller must hold the locks of the round and the run. */
export async function withdrawApproval(scope: Scope, run: string, { id, round }: { id: string; round: string }): Promise<void> {
  await voidRound(scope, round, 'call_changed');
  await scope.db.first(queries.askAgain, { team: scope.team, run, id, round });
}

/**
 * Asks the people of an approval policy about a call of a run, with an approval round about exactly this call. The caller must hold the lock of the
 * run. Returns `asked`, or the reason for which there is no round.
 */
export async function askRound(
  scope: Scope,
  { run, call, hash, shown, policy: name, fourEyes, admits }: RoundRequest,
): Promise<'asked' | 'approval_limit' | 'arguments_too_long' | 'no_approver' | 'policy_input_missing' | 'too_many_candidates'> {
  const { db, team, now } = scope;
  const reason = await reasonNotToRequest(scope, run.id, shown);
  if (reason !== undefined) return reason;
  const policy = (await lockPolicies(scope, [name])).get(name);
  if (!policy) return 'no_approver';
  const rules = rulesFor(policy.rules, fourEyes);
  const expires = new Date(now.getTime() + rules.expiresInHours * 3_600_000);
  const begun = await beginRound(
    scope,
    {
      type: 'tool_call',
      id: call.id,
      requesterId: run.on_behalf_of,
      argsSha256: hash,
      taskType: 'tool_approval',
      documents: [],
      about: null,
      barred: false,
      people: peopleOf(call),
      answerOf: answersOf(call),
      admits,
      taskFor: (person) => ({
        id: randomUUIDv7(),
        title: shown.title,
        description: shown.text,
        type: 'tool_approval',
        assigned_to: person,
        created_by: run.agent_id,
        created_by_type: 'agent',
        workflow_id: null,
        step_id: null,
        document_id: null,
        due_at: expires.toISOString(),
        config: {},
      }),
    },
    { rules, policy: { name, version: policy.version } },
  );
  if (!('id' in begun)) return begun.code === 'no_eligible_assignee' ? 'no_approver' : begun.code;
  const round = begun.id;
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
