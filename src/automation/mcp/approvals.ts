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

/** Calls that wait for somebody at most. */
const maxWaitingPerCaller = 20;
const maxWaitingPerTeam = 200;
const waitsMs = 24 * 60 * 60 * 1_000;

/** What a call that is to be approved answers as long as it is not carried out. */
export type Waits = {
  status: 'approval_required' | 'already_done' | 'denied';
  approvalId: string;
  taskId: string;
  url: string;
  expiresAt: string;
  detail: string;
  /** What the call answered when it was carried out. */
  result?: unknown;
};

/** A call that somebody has approved, and that is to be carried out now. */
export type Approved = { status: 'approved'; approvalId: string; by: string | null };

const details = {
  approval_required:
    'It was not carried out. A person was asked by the task. Once they have approved it, the same call with the same arguments carries it out.',
  already_done: 'A person had approved this call, and it was carried out then. It was not carried out again.',
  denied: 'A person has refused this call. It was not carried out.',
};

/** Who asks: an API client, or a program by the connection through which it acts for a person, who alone answers it. */
export type Asker =
  | { kind: 'client'; id: string; name: string; createdBy: string }
  | { kind: 'program'; id: string; name: string; account: string };

type ApprovalRequest = {
  tool: Tool;
  all: readonly Tool[];
  input: Record<string, unknown>;
  argsHash: string;
  asker: Asker;
  baseUrl: string;
};

/** Whose calls that wait are counted together. */
const callerIdOf = (asker: Asker): string => (asker.kind === 'client' ? asker.id : asker.account);

/**
 * What the call of a client or program that a person is to approve comes to: `approved` where it was approved as it is now, and is to be carried out, once.
 * Otherwise a person was asked, or was asked before; one that was carried out has its result for a day, for whoever asked alone. Errors: those of reading what it names, 409 `approval_limit`, `no_approver`.
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
    const stands = found.hash === hash && (await approverOf(scope, request, target, [found.decided_by])) !== undefined;
    db.send(queries.endApproval, { team, id: found.id, status: stands ? 'used' : 'stale', at: now });
    if (stands) return { status: 'approved', approvalId: found.id, by: found.decided_by };
  }
  return answer(await ask(scope, request, { hash, target }), 'approval_required');
}

/** Whether whoever has approved a call is still somebody who may: of a program its person, whose rights are proven with the call, of a client who runs the team. */
export async function mayApproveStill({ db, team }: Scope, asker: Asker, { by }: Approved): Promise<boolean> {
  return asker.kind === 'program' || (await db.all(managersOf, { team })).some(({ id }) => id === by);
}

/** A result longer than this is not kept: what changes something answers with the thing as it is then. */
const maxKept = 256 * 1024;

/** Keeps what an approved call has answered, in the transaction in which it was carried out: for whoever lost the answer and asks again. */
export function keepResult({ db, team }: Scope, { approvalId: id }: Approved, text: string): void {
  if (Buffer.byteLength(text) <= maxKept) db.send(queries.keepResult, { team, id, result: text });
}

/**
 * Who may approve a call today: of a program its person, whose rights the call has itself, and of a client the first of these people who runs the
 * team and reads what it would change, where the client reads that itself: else it would be told whether there is such a thing.
 */
async function approverOf(
  scope: ReadScope | Scope,
  { tool, all, input, asker }: ApprovalRequest,
  target: Question['target'],
  people: readonly (string | null | undefined)[],
): Promise<string | undefined> {
  if (asker.kind === 'program') return people.includes(asker.account) ? asker.account : undefined;
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

/** Asks the person whom a program acts for, or whoever made the client, or else the owner of the team, by a task that waits for a day. */
async function ask(scope: Scope, request: ApprovalRequest, { hash, target }: Question): Promise<queries.ApprovalRow> {
  const { db, team, now } = scope;
  const { tool, input, argsHash, asker } = request;
  const client = asker.kind === 'client' ? asker : undefined;
  const connectedApp = asker.kind === 'program' ? asker : undefined;
  const shown = shownCall(asker.name, { tool: tool.name, arguments: input }, target, client ? 'API client' : 'program');
  const { caller_count: callerCount = 0, team_count: teamCount = 0 } =
    (await db.first(queries.waitingApprovals, { team, caller: callerIdOf(asker), now })) ?? {};
  if (callerCount >= maxWaitingPerCaller || teamCount >= maxWaitingPerTeam || shown.text.length > maxShown)
    throw mcpProblems.approval_limit(
      'Too many calls wait for approval, or this call is too large for a task. Wait for the open tasks, or send a smaller call.',
    );
  const people = connectedApp ? [connectedApp.account] : [client?.createdBy, (await db.first(ownerOfTeam, { team }))?.id];
  const person = await approverOf(scope, request, target, people);
  if (person === undefined) throw mcpProblems.no_approver('No possible approver of this call can read its target.');
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
