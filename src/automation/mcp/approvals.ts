import { randomUUIDv7 } from 'node:crypto';
import { actorToday } from '#documents';
import { maxShown, readTarget, shownCall } from '#runs';
import { createTasks, taskLink } from '#tasks';
import { managersOf, ownerOfTeam } from '#teams';
import { hashOfJson } from '../../platform/canonical-json.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { Problem } from '../../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import type { Tool } from '../../platform/tools.ts';
import { approvalExpiry } from './approval-jobs.ts';
import { approvalRequested } from './events.ts';
import { mcpProblems } from './problems.ts';
import * as queries from './queries.ts';

/** The maximum number of calls that wait for approval. */
const maxWaitingPerCaller = 20;
const maxWaitingPerTeam = 200;
const waitsMs = 24 * 60 * 60 * 1_000;

/** The response to a call that needs approval and was not executed. */
export type Waits = {
  status: 'approval_required' | 'already_done' | 'denied';
  approvalId: string;
  taskId: string;
  url: string;
  expiresAt: string;
  detail: string;
  /** The result, if the call was executed earlier. */
  result?: unknown;
};

/** An approved call that is to be executed now. */
export type Approved = { status: 'approved'; approvalId: string; by: string | null };

const details = {
  approval_required:
    'The call was not executed. A task asks a person for approval. After the approval, send the same call with the same arguments to execute it.',
  already_done: 'This call was approved and executed before. It was not executed again.',
  denied: 'A person denied this call. It was not executed.',
};

/** The caller that needs approval: an API client, or an app by its connection. Only the person of an app can approve its calls. */
export type Asker =
  | { kind: 'client'; id: string; name: string; createdBy: string }
  | { kind: 'connectedApp'; id: string; name: string; account: string };

type ApprovalRequest = {
  tool: Tool;
  all: readonly Tool[];
  input: Record<string, unknown>;
  argsHash: string;
  asker: Asker;
  baseUrl: string;
};

/** The identifier under which waiting calls are counted: a client, or all apps of one person. */
const callerIdOf = (asker: Asker): string => (asker.kind === 'client' ? asker.id : asker.account);

/**
 * Checks the approval of a call. Returns `approved` if exactly this call is approved for the current target; it is then executed once. Otherwise
 * requests approval, or reports the earlier request. The result of an executed call is available for a day, only to its caller. Throws the errors of
 * the operation that reads the target, and 409 `approval_limit` or `no_approver`.
 */
export async function approvalFor(scope: Scope, request: ApprovalRequest): Promise<Waits | Approved> {
  const { db, team, now } = scope;
  const { tool, all, input, argsHash, asker, baseUrl } = request;
  const target = await readTarget(scope, all, tool, input);
  const toolHash = hashOfJson({ description: tool.description, input: tool.input });
  const hash = hashOfJson({ tool: tool.name, toolHash, arguments: input, target: target ?? null });
  const found = await db.locked(queries.lockApprovals, { caller: callerIdOf(asker) }, () =>
    db.first(queries.latestApproval[asker.kind], { team, asker: asker.id, tool: tool.name, argsHash, now }),
  );
  const answer = ({ id, task_id: task, expires_at: until }: queries.ApprovalRow, status: Waits['status']): Waits => ({
    status,
    approvalId: id,
    taskId: task,
    url: taskLink(baseUrl, task),
    expiresAt: until,
    detail: details[status],
  });
  if (found?.status === 'waiting') return answer(found, 'approval_required');
  if (found?.status === 'denied') return answer(found, 'denied');
  if (found?.status === 'used')
    return { ...answer(found, 'already_done'), ...(found.result === null ? {} : { result: JSON.parse(found.result) as unknown }) };
  if (found?.status === 'approved') {
    const valid = found.hash === hash && (await approverOf(scope, request, target, [found.decided_by])) !== undefined;
    db.send(queries.endApproval, { team, id: found.id, status: valid ? 'used' : 'stale', at: now });
    if (valid) return { status: 'approved', approvalId: found.id, by: found.decided_by };
  }
  return answer(await ask(scope, request, { hash, target }), 'approval_required');
}

/**
 * Whether the approver of a call may still approve it. The approver of a client must be an owner or administrator. The approver of an app is its
 * person, whose rights the call has.
 */
export async function mayStillApprove({ db, team }: Scope, asker: Asker, { by }: Approved): Promise<boolean> {
  return asker.kind === 'connectedApp' || (await db.all(managersOf, { team })).some(({ id }) => id === by);
}

/** The maximum bytes of a stored result. A longer result is not stored: it is the changed resource, which the caller can read. */
const maxKept = 256 * 1024;

/** Stores the result of an approved call in its transaction, for a caller that lost the response and repeats the call. */
export function keepResult({ db, team }: Scope, { approvalId: id }: Approved, text: string): void {
  if (Buffer.byteLength(text) <= maxKept) db.send(queries.keepResult, { team, id, result: text });
}

/**
 * Returns the person who may approve a call now. For an app this is its person, because the call has the rights of that person. For a client it is
 * the first of `people` who is an owner or administrator and can read the target. The client must be able to read the target too: otherwise the
 * result would reveal whether the target exists.
 */
async function approverOf(
  scope: ReadScope | Scope,
  { tool, all, input, asker }: ApprovalRequest,
  target: Question['target'],
  people: readonly (string | null | undefined)[],
): Promise<string | undefined> {
  if (asker.kind === 'connectedApp') return people.includes(asker.account) ? asker.account : undefined;
  const managers = new Set((await scope.db.all(managersOf, { team: scope.team })).map(({ id }) => id));
  for (const id of new Set(people))
    if (id && managers.has(id)) {
      const actor = await actorToday(scope, id);
      if (actor && (target === undefined || (await reads({ ...scope, actor }, all, tool, input)))) return id;
    }
  return undefined;
}

async function reads(
  scope: ReadScope & { actor: Actor },
  all: readonly Tool[],
  tool: Tool,
  input: Record<string, unknown>,
): Promise<boolean> {
  try {
    await readTarget(scope, all, tool, input);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

type Question = { hash: string; target: Awaited<ReturnType<typeof readTarget>> };

/**
 * Requests approval with a task that expires after a day. The assignee is the person of an app, the creator of a client, or else the owner of the
 * team.
 */
async function ask(scope: Scope, request: ApprovalRequest, { hash, target }: Question): Promise<queries.ApprovalRow> {
  const { db, team, now } = scope;
  const { tool, input, argsHash, asker } = request;
  const client = asker.kind === 'client' ? asker : undefined;
  const connectedApp = asker.kind === 'connectedApp' ? asker : undefined;
  const shown = shownCall(asker.name, { tool: tool.name, arguments: input }, target, client ? 'API client' : 'connected app');
  const { caller_count: callerCount = 0, team_count: teamCount = 0 } =
    (await db.first(queries.waitingApprovals, { team, caller: callerIdOf(asker), now })) ?? {};
  if (callerCount >= maxWaitingPerCaller || teamCount >= maxWaitingPerTeam || shown.text.length > maxShown)
    throw mcpProblems.approval_limit(
      'Too many calls wait for approval, or this call is too large for a task. Complete the approval tasks, or send a smaller call.',
    );
  const people = connectedApp ? [connectedApp.account] : [client?.createdBy, (await db.first(ownerOfTeam, { team }))?.id];
  const person = await approverOf(scope, request, target, people);
  if (person === undefined)
    throw mcpProblems.no_approver(
      'No possible approver of this call can read its target. Ask a person with access to the target to make the call.',
    );
  const [id, task] = [randomUUIDv7(), randomUUIDv7()];
  const expires = new Date(now.getTime() + waitsMs);
  db.send(queries.insertApproval, {
    team,
    id,
    client: client?.id ?? null,
    connection: connectedApp?.id ?? null,
    account: connectedApp?.account ?? null,
    tool: tool.name,
    argsHash,
    hash,
    task,
    at: now,
    expires,
  });
  await createTasks(
    scope,
    [
      {
        id: task,
        title: shown.title,
        description: shown.text,
        type: 'tool_approval',
        assigned_to: person,
        created_by: callerIdOf(asker),
        created_by_type: client ? 'client' : 'user',
        workflow_id: null,
        step_id: null,
        document_id: null,
        due_at: expires.toISOString(),
        config: {},
      },
    ],
    undefined,
  );
  enqueue({ db, team }, approvalExpiry, { approval: id }, { runAt: expires });
  await recordAudit(scope, approvalRequested, asker.id, { tool: tool.name, argsHash, taskId: task, assignedTo: person });
  return { id, task_id: task, status: 'waiting', hash, decided_by: null, result: null, expires_at: expires.toISOString() };
}
