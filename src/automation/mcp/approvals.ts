import { randomUUIDv7 } from 'node:crypto';
import { expireRound, lockPolicies, roundProblems, type RoundRules, voidRound, withDefaults, withoutRequester } from '#approvals';
import { beginCallRound, maxShown, memberWithScopes, readsTarget, readTarget, shownCall, type Target } from '#runs';
import { approversOfRound, lockRound, taskLink } from '#tasks';
import { ownerOfTeam } from '#teams';
import { hashOfJson } from '../../platform/canonical-json.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Tool } from '../../platform/tools.ts';
import { approvalExpiry } from './approval-jobs.ts';
import { approvalRequested } from './events.ts';
import { mcpProblems } from './problems.ts';
import * as queries from './queries.ts';

/** The maximum number of calls that wait for approval. */
const maxWaitingPerCaller = 20;
const maxWaitingPerTeam = 200;

/** The response to a call that needs approval and was not executed. */
export type Waits = {
  status: 'approval_required' | 'already_done' | 'denied';
  /** The approval round, and its status. */
  approvalId: string;
  approvalStatus: 'open' | 'approved' | 'rejected';
  /** The vote, if one person approves the call. */
  taskId?: string;
  url?: string;
  expiresAt: string;
  detail: string;
  /** The result, if the call was executed earlier. */
  result?: unknown;
};

/** An approved call that is to be executed now. */
export type Approved = { status: 'approved'; id: string; expiresAt: string; approvers: readonly string[] };

const details = {
  approval_required:
    'The call was not executed. It waits for approval. After the approval, send the same call with the same arguments to execute it.',
  already_done: 'This call was approved and executed before. It was not executed again.',
  denied: 'This call was denied. It was not executed.',
};
const roundStatuses = { approval_required: 'open', already_done: 'approved', denied: 'rejected' } as const;

/**
 * The caller that needs approval: an API client, or an app by its connection. Without a policy, only the person of an app approves its calls, and an
 * owner or administrator those of a client.
 */
export type Asker = { id: string; name: string; policy: string | null } & (
  | { kind: 'client'; createdBy: string }
  | { kind: 'connectedApp'; account: string }
);

type ApprovalRequest = {
  tool: Tool;
  all: readonly Tool[];
  input: Record<string, unknown>;
  argsHash: string;
  asker: Asker;
  baseUrl: string;
};
/** The exact request: the call, the definition of its tool and its target. */
type Question = ApprovalRequest & { hash: string; target: Target | undefined };

/** Who requests the approval, and under whom waiting calls are counted: a client, or the person of all their apps. */
const requesterOf = (asker: Asker): string => (asker.kind === 'client' ? asker.id : asker.account);

/**
 * Checks the approval of a call. Returns `approved` if exactly this call is approved for the current target; it is then executed once. Otherwise
 * begins an approval round, or reports the earlier one. A round about another state of the target, or by another policy, is voided. The result of an
 * executed call is available until the approval expires, only to its caller. Throws the errors of the operation that reads the target, 409
 * `approval_limit` or `no_approver`, and 422 `policy_input_missing` or `too_many_candidates`.
 */
export async function approvalFor(scope: Scope, request: ApprovalRequest): Promise<Waits | Approved> {
  const { db, team, now } = scope;
  const { tool, all, input, argsHash, asker } = request;
  const target = await readTarget(scope, all, tool, input);
  const toolHash = hashOfJson({ description: tool.description, input: tool.input });
  const hash = hashOfJson({ tool: tool.name, toolHash, arguments: input, target: target ?? null });
  const question = { ...request, hash, target };
  const found = await db.locked(queries.lockApprovals, { caller: requesterOf(asker) }, () =>
    db.first(queries.latestApproval[asker.kind], { team, asker: asker.id, tool: tool.name, argsHash, now }),
  );
  return (found && (await resultOf(scope, question, found))) ?? ask(scope, question);
}

/** Returns the state of the earlier request of a call. Ends a request that has expired or changed, and returns nothing. */
async function resultOf(scope: Scope, question: Question, found: queries.ApprovalRow): Promise<Waits | Approved | undefined> {
  const { db, team, now: at } = scope;
  const { asker, baseUrl } = question;
  const { id, status, expires_at: expiresAt } = found;
  if (status === 'denied') return answer(found, 'denied', baseUrl);
  if (status === 'used')
    return { ...answer(found, 'already_done', baseUrl), ...(found.result === null ? {} : { result: JSON.parse(found.result) as unknown }) };
  if (status !== 'waiting' && status !== 'approved') return undefined;
  const same = !found.expired && found.hash === question.hash && found.policy === asker.policy;
  if (same && status === 'waiting') return answer(found, 'approval_required', baseUrl);
  if (same) {
    const approvers = await approversOf(scope, found);
    if (approvers.length > 0 && (await mayAllApprove(scope, question, approvers))) {
      db.send(queries.endApproval, { team, id, status: 'used', at });
      return { status: 'approved', id, expiresAt, approvers };
    }
  }
  await withdraw(scope, found);
  return undefined;
}

/** Ends a request under the lock of its round. If a vote has just approved the round, it is voided too. */
async function withdraw(scope: Scope, { id, round_id: round, expired }: queries.ApprovalRow): Promise<void> {
  const { db, team, now: at } = scope;
  if (round === null) return db.send(queries.endApproval, { team, id, status: 'stale', at });
  await db.first(lockRound, { team, round });
  await (expired ? expireRound(scope, round) : voidRound(scope, round, 'call_changed'));
}

function answer(
  { id, round_id: round, task_id: taskId, expires_at: expiresAt }: Pick<queries.ApprovalRow, 'id' | 'round_id' | 'task_id' | 'expires_at'>,
  status: Waits['status'],
  baseUrl: string,
): Waits {
  return {
    status,
    approvalId: round ?? id,
    approvalStatus: roundStatuses[status],
    ...(taskId === null ? {} : { taskId, url: taskLink(baseUrl, taskId) }),
    expiresAt,
    detail: details[status],
  };
}

async function approversOf({ db, team }: Scope, { round_id: round, decided_by: by }: queries.ApprovalRow): Promise<string[]> {
  if (round === null) return by === null ? [] : [by];
  return (await db.all(approversOfRound, { team, id: round })).map(({ id }) => id);
}

async function mayAllApprove(scope: Scope, question: Question, people: readonly string[]): Promise<boolean> {
  for (const person of people) if (!(await mayApprove(scope, question, person))) return false;
  return true;
}

/** Whether a person may approve a call now: as the caller and its policy say, and with read access to its target. */
async function mayApprove(scope: Scope, question: Question, person: string): Promise<boolean> {
  const actor = await approverFor(scope, question, person);
  return actor !== undefined && readsTarget({ ...scope, actor }, question, question);
}

/**
 * Returns a person who may approve the calls of a caller. Without a policy, this is the person of an app, whose rights the call has, or an owner or
 * administrator. With a policy, it is a member with the scopes of the tool, but not the person of the app.
 */
async function approverFor(scope: Scope, { asker, tool }: Pick<Question, 'asker' | 'tool'>, person: string) {
  const { kind, policy } = asker;
  if (kind === 'connectedApp' && (person === asker.account) !== (policy === null)) return undefined;
  const actor = await memberWithScopes(scope, tool, person);
  return kind === 'client' && policy === null && actor?.role !== 'owner' && actor?.role !== 'admin' ? undefined : actor;
}

/** Returns whether all approvers of an executed call may still approve calls of the caller. */
export async function mayStillApprove(scope: Scope, request: Pick<Question, 'asker' | 'tool'>, { approvers }: Approved): Promise<boolean> {
  for (const person of approvers) if (!(await approverFor(scope, request, person))) return false;
  return true;
}

/** The maximum bytes of a stored result. A longer result is not stored: it is the changed resource, which the caller can read. */
const maxKept = 256 * 1024;

/** Stores the result of an approved call in its transaction, for a caller that lost the response and repeats the call before the approval expires. */
export function keepResult({ db, team }: Scope, { id, expiresAt }: Approved, text: string): void {
  if (Buffer.byteLength(text) > maxKept) return;
  db.send(queries.keepResult, { team, id, result: text });
  enqueue({ db, team }, approvalExpiry, { approval: id }, { runAt: new Date(expiresAt) });
}

/** Returns the rules for the approval of a call. Without a policy, the first of the possible approvers decides alone. */
async function rulesFor(scope: Scope, question: Question): Promise<RoundRules> {
  const { db, team } = scope;
  const { asker } = question;
  if (asker.policy !== null) {
    const policy = (await lockPolicies(scope, [asker.policy])).get(asker.policy);
    if (!policy) throw new Error(`the approval policy ${asker.policy} of a caller does not exist`);
    const { name, version, rules } = policy;
    return { rules: asker.kind === 'connectedApp' ? withoutRequester(rules) : rules, policy: { name, version } };
  }
  const people = asker.kind === 'connectedApp' ? [asker.account] : [asker.createdBy, (await db.first(ownerOfTeam, { team }))?.id];
  for (const person of new Set(people))
    if (person !== undefined && (await mayApprove(scope, question, person)))
      return { rules: withDefaults({ rules: [{ id: 'approver', need: [{ count: 1, from: [`user:${person}`] }] }], exclude: [] }) };
  throw mcpProblems.no_approver(
    'No possible approver of this call can read its target. Ask a person with access to the target to make the call.',
  );
}

/** Begins an approval round about a call, which expires after a day unless the policy says otherwise. */
async function ask(scope: Scope, question: Question): Promise<Waits> {
  const { db, team, now } = scope;
  const { tool, input, argsHash, asker, hash, target, baseUrl } = question;
  const client = asker.kind === 'client' ? asker : undefined;
  const connectedApp = asker.kind === 'connectedApp' ? asker : undefined;
  const caller = requesterOf(asker);
  const shown = shownCall(asker.name, { tool: tool.name, arguments: input }, target, client ? 'API client' : 'connected app');
  const { caller_count: callerCount = 0, team_count: teamCount = 0 } =
    (await db.first(queries.waitingApprovals, { team, caller, now })) ?? {};
  if (callerCount >= maxWaitingPerCaller || teamCount >= maxWaitingPerTeam || shown.text.length > maxShown)
    throw mcpProblems.approval_limit(
      'Too many calls wait for approval, or this call is too large for a task. Complete the approval tasks, or send a smaller call.',
    );
  const rules = await rulesFor(scope, question);
  const begun = await beginCallRound(
    scope,
    {
      id: `${asker.id} ${tool.name} ${argsHash}`,
      tool: tool.name,
      arguments: input,
      hash,
      shown,
      requester: caller,
      by: { id: caller, type: client ? 'client' : 'user' },
      admits: (person) => mayApprove(scope, question, person),
    },
    rules,
  );
  if (!('round' in begun))
    throw begun.code === 'no_eligible_assignee' ? mcpProblems.no_approver(begun.detail) : roundProblems[begun.code](begun.detail);
  const { round, expires } = begun;
  const id = randomUUIDv7();
  const task = rules.policy === undefined ? (begun.tasks[0] ?? null) : null;
  db.send(queries.insertApproval, {
    team,
    id,
    client: client?.id ?? null,
    connection: connectedApp?.id ?? null,
    account: connectedApp?.account ?? null,
    tool: tool.name,
    argsHash,
    hash,
    round,
    task,
    at: now,
    expires,
  });
  await recordAudit(scope, approvalRequested, asker.id, { tool: tool.name, argsHash, roundId: round });
  return answer({ id, round_id: round, task_id: task, expires_at: expires.toISOString() }, 'approval_required', baseUrl);
}
