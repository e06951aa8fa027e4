import { type AgentRow, hasTool, mayRun } from '#agents';
import { approversOfRound, lockRound } from '#tasks';
import { hashOfJson } from '../../../platform/canonical-json.ts';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { notFound } from '../../../platform/identifiers.ts';
import type { TeamDependencies } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { callOf, scopesOf, type Tool } from '../../../platform/tools.ts';
import {
  askPerson,
  askRound,
  isOwnRequest,
  findApprover,
  mayApproveCall,
  readsTarget,
  readTarget,
  shownCall,
  type Target,
  requestHash,
  withdrawApproval,
} from '../approvals/index.ts';
import { toolCalled } from '../events.ts';
import type { RunRow } from '../run-queries.ts';
import { storeSubjects } from '../subject-queries.ts';
import { addRunEvent } from '../stream/index.ts';
import { openCursor, sealCursor } from './cursors.ts';
import * as queries from './queries.ts';
import { keptResult } from './results.ts';
import { identifiersRead } from './disclosed-content.ts';
import { type CallRights, callRightsOf, type TeamReader, type NoRights, requireSameRights, type Rights, sightOf } from './permissions.ts';
import { type PinnedSkills, readSkillOfRun, skillTool } from './skills.ts';

export type CallDependencies = TeamDependencies & {
  skills: PinnedSkills;
  /** Encrypts the list cursors that agents get. */
  places: Box;
};
export type Call = Pick<queries.CallRow, 'id' | 'tool' | 'arguments' | 'approval_round_id' | 'request_hash' | 'decided_by' | 'sent_at'>;
export type Over = { status: 'done' | 'refused'; value: unknown; code?: string };

/** Thrown if another attempt owns the run or the run must end. The transaction rolls back. */
export class Superseded extends Error {}

/** Thrown if the run has lost its rights. The run ends, and its uncommitted work rolls back. */
export class RightsEnded extends Error {
  readonly reason: NoRights;
  constructor(reason: NoRights) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Returns the current rights of a call. Throws {@link RightsEnded}, and {@link Superseded} if the agent is stopped or disabled, which ends the run.
 */
export async function rightsForCall(reader: TeamReader, run: RunRow, call: Call): Promise<CallRights> {
  const rights = await callRightsOf(reader, run, call);
  if (typeof rights === 'string') throw new RightsEnded(rights);
  if (!mayRun(rights.agent)) throw new Superseded();
  return rights;
}

/** The result of a call that is not executed. The model reads the reason and can make another call. */
export const refusal = (code: string, detail: string): Over => ({ status: 'refused', code, value: { error: code, detail } });

/** Whether a tool call needs the approval of a person. */
const wantsApproval = ({ approval }: Pick<AgentRow, 'approval'>, { mutating }: Tool): boolean =>
  approval === 'always' || (approval === 'mutating' && mutating);

/** Returns the tool of a call, or a rejection if the agent or the scopes of the run do not allow it. */
export function toolFor(all: readonly Tool[], { agent, scopes }: Rights, name: string): Tool | Over {
  const tool = all.find((one) => one.name === name);
  if (!tool) return refusal('unknown_tool', 'There is no tool of this name.');
  if (!hasTool(agent, tool)) return refusal('tool_not_allowed', 'This agent does not have this tool.');
  const lacking = scopesOf(tool).find((scope) => !scopes.has(scope));
  if (lacking === undefined) return tool;
  return refusal('insufficient_scope', `The person whom this run is for does not have the right ${lacking}.`);
}

/**
 * Executes a call of a run and stores its result. A tool that changes data runs in the transaction that stores the result, so it takes effect at most
 * once after any failure. Throws {@link Superseded} if another attempt owns the run, {@link RightsEnded}, and `RightsChanged`.
 */
export async function carryOut(deps: CallDependencies, all: readonly Tool[], team: string, run: RunRow, call: Call): Promise<void> {
  const { database, listeners, clock } = deps;
  const db = database.reader(team);
  const rights = await rightsForCall({ db, team }, run, call);
  const { person, agent, scopes } = rights;
  const base = {
    team,
    actor: person,
    recordedAs: { type: 'agent', id: agent.id, scopes },
    now: clock(),
    requestId: `run-${run.id}`,
    listeners,
  } as const;
  /** Runs the last statements of a transaction. The transaction rolls back unless this attempt still owns the run with the same rights. */
  const end = async (tx: Transaction, over: Over): Promise<void> => {
    await endCall({ ...base, db: tx }, run, call, over);
    await requireSameRights({ db: tx, team }, run, call, rights);
  };
  const write = (over: Over) => database.inTeam(team, (tx) => end(tx, over));
  if (call.tool === skillTool.name) return write(await resultOf(() => readSkillOfRun({ db, team }, agent, deps.skills, call.arguments)));
  const tool = toolFor(all, rights, call.tool);
  if (!('run' in tool)) return write(tool);
  const { places } = deps;
  const calling = { tool, all, rights, run, call, approved: wantsApproval(agent, tool), places };
  const asks = async () => {
    const refused = await resultOf(() => ask(database, { ...base, db }, calling));
    return refused.value === requested ? undefined : write(refused);
  };
  if (calling.approved && call.decided_by === null) return asks();
  try {
    if (!tool.inTransaction) return await write(await resultOf(() => performed({ ...base, db }, calling, tool.run)));
    return await database.inTeam(team, async (tx) => {
      const over = await resultOf(() => tx.attempt((part) => performed({ ...base, db: part }, calling, tool.run)));
      await end(tx, over);
    });
  } catch (error) {
    if (!(error instanceof CallChanged)) throw error;
    return asks();
  }
}

type Calling = {
  tool: Tool;
  all: readonly Tool[];
  rights: CallRights;
  run: RunRow;
  call: Call;
  approved: boolean;
  places: Box;
};

/** Runs a tool that may run now, and returns its result. Throws the errors of the tool and {@link Refused}. */
async function performed<S extends ReadScope>(
  scope: S,
  calling: Calling,
  run: (scope: S, input: Record<string, unknown>) => Promise<unknown>,
): Promise<unknown> {
  const { approved } = calling;
  const input = await inputFor(scope, calling);
  const target = await targetOf(scope, calling, input);
  if (approved) await requireApproved(scope, calling, input, target);
  return withEncryptedCursor(calling, await seenBy(scope, calling.rights, await run(scope, input)));
}

/** Returns the resource that a call would change. The owner of the run must be able to read it, and the agent must have access. Throws 404. */
const targetOf = (scope: ReadScope, { tool, all, rights }: Calling, input: Record<string, unknown>): Promise<Target | undefined> =>
  readTarget(scope, all, tool, input, (value) => seenBy(scope, rights, value));

/** Thrown to end the execution of a call with a rejection. */
class Refused extends Error {
  readonly over: Over;
  constructor(over: Over) {
    super(over.code);
    this.over = over;
  }
}

/** Thrown if a call differs from the one that its round approved. The call then asks again. */
class CallChanged extends Error {}

const requested = Symbol('a person was asked');

/**
 * Requests approval of a call with valid input and an existing target. Throws the errors of the operation that reads the target, and {@link Refused}.
 */
async function ask(
  database: Database,
  scope: ReadScope & { listeners: readonly EventListener[] },
  calling: Calling,
): Promise<typeof requested> {
  const { tool, rights, run, call } = calling;
  const { team } = scope;
  const input = await inputFor(scope, calling);
  const target = await targetOf(scope, calling, input);
  const { agent } = rights;
  const policy = agent.approval_policy;
  const person =
    policy === null
      ? await findApprover(scope, agent, run, (actor) => readsTarget({ ...scope, actor }, calling, { input, target }))
      : undefined;
  if (policy === null && person === undefined) throw new Refused(refusal('no_approver', noRequestReasons.no_approver));
  const question = {
    run,
    call,
    hash: requestHash(run.id, call, tool, target),
    shown: shownCall(agent.name, call, target),
  };
  const admits = (id: string) => mayApprove(scope, calling, { by: id, input, target });
  const outcome = await database.inTeam(team, async (db) => {
    const asking = { ...scope, db };
    await lockToAsk(asking, run, call);
    if (policy !== null) return askRound(asking, { ...question, policy, fourEyes: agent.four_eyes, admits });
    return person === undefined ? 'no_approver' : askPerson(asking, { ...question, question: 'approval', person });
  });
  if (outcome === 'asked') return requested;
  throw new Refused(refusal(outcome, noRequestReasons[outcome]));
}

/**
 * Locks a run before its call asks for approval. If the call changed after its approval, voids the approved round.
 * Acquires the lock of the round before that of the run. Throws {@link Superseded}.
 */
export async function lockToAsk(scope: Scope, run: RunRow, { id, approval_round_id: round }: Call): Promise<void> {
  const { db, team } = scope;
  if (round !== null) await db.first(lockRound, { team, round });
  const lockedRun = await db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts });
  if (!lockedRun) throw new Superseded();
  if (round !== null) await withdrawApproval(scope, run.id, { id, round });
}

/** The rejection of a call that differs from the approved one, or whose approver may no longer make it. */
export const stale = refusal(
  'approval_stale',
  'The target changed after the approval, or the approver no longer has the right. Read it again, and request approval again.',
);

/** The texts for the model about the reasons for which no approval was requested. */
export const noRequestReasons = {
  approval_limit: 'Too many calls already wait for approval. Continue without this call.',
  no_approver:
    'A person other than the owner of the run must approve the call, and there is no such approver. Report this in your response.',
  policy_input_missing:
    'The approval policy needs an argument that this call does not have, or in another currency. Report this in your response.',
  too_many_candidates: 'The approval policy names too many people. Report this in your response.',
  arguments_too_long: 'The arguments are too long for a person to review. Split the call into smaller ones.',
};

/** Checks that a call equals the approved one and that its approvers may still make it. Throws {@link CallChanged} and {@link Refused}. */
async function requireApproved(
  scope: ReadScope,
  calling: Calling,
  input: Record<string, unknown>,
  target: Target | undefined,
): Promise<void> {
  const { tool, run, call } = calling;
  const { team: id, db } = scope;
  const same = requestHash(run.id, call, tool, target) === call.request_hash;
  const approvers = call.approval_round_id === null ? [] : await db.all(approversOfRound, { team: id, id: call.approval_round_id });
  const by = new Set([...(call.decided_by === null ? [] : [call.decided_by]), ...approvers.map((one) => one.id)]);
  if (!same && call.approval_round_id !== null) throw new CallChanged();
  if (!same || by.size === 0) throw new Refused(stale);
  for (const person of by) if (!(await mayApprove(scope, calling, { by: person, input, target }))) throw new Refused(stale);
}

/** Whether a person may approve a call. They need the scopes of the tool and access to its target. With four eyes, they did not request the run. */
async function mayApprove(
  scope: ReadScope,
  { tool, all, rights, run }: Calling,
  { by, input, target }: { by: string; input: Record<string, unknown>; target: Target | undefined },
): Promise<boolean> {
  return !isOwnRequest(rights.agent, run, by) && mayApproveCall(scope, { tool, all }, { input, target }, by);
}

/** Returns the input of a call. Throws 404 if it names a resource that the agent cannot access. */
async function inputFor(reader: TeamReader, { tool, rights, call, places }: Calling): Promise<Record<string, unknown>> {
  const { agent, scopes } = rights;
  const input = callOf(
    tool,
    scopes,
    withPlace(call.arguments, (sealed) => openCursor(places, listOf(agent, tool), sealed)),
  );
  const { hides, sees } = await sightOf(reader, agent, input);
  // Only the target counts as the subject of a change: an identifier in another argument, such as a title, gives no access.
  const about = tool.target ? input[tool.target.by] : input;
  if (hides(input) || (tool.mutating && !sees(about))) throw notFound('thing');
  return input;
}

/** Identifies the list to which a cursor is bound. */
const listOf = ({ id }: Pick<AgentRow, 'id'>, tool: Tool): string => `agent list ${id} ${tool.name}`;

/** Replaces the encrypted cursor in the arguments of a call. */
function withPlace(given: unknown, opened: (sealed: string) => string): unknown {
  if (typeof given !== 'object' || given === null || !('cursor' in given) || typeof given.cursor !== 'string') return given;
  return { ...given, cursor: opened(given.cursor) };
}

/** Encrypts the cursor in a result: see {@link sealCursor}. */
function withEncryptedCursor({ tool, rights, places }: Calling, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nextCursor' in value) || typeof value.nextCursor !== 'string') return value;
  return { ...value, nextCursor: sealCursor(places, listOf(rights.agent, tool), value.nextCursor) };
}

/** Limits a result to the access of the agent itself: filters a list, and throws 404 for a single resource without access. */
async function seenBy(reader: TeamReader, { agent }: Rights, value: unknown): Promise<unknown> {
  const { sees } = await sightOf(reader, agent, value);
  if (typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items))
    return { ...value, items: value.items.filter(sees) };
  if (!sees(value)) throw notFound('thing');
  return value;
}

/** Runs a tool. A problem that it throws becomes its result; a server error becomes `unavailable`. */
async function resultOf(work: () => Promise<unknown>): Promise<Over> {
  try {
    return { status: 'done', value: (await work()) ?? {} };
  } catch (error) {
    if (error instanceof Refused) return error.over;
    if (!(error instanceof Problem)) throw error;
    const { code, detail, errors } = error.status < 500 ? error : problems.unavailable('The call failed. Try it again later.');
    return { status: 'done', code, value: { error: code, detail, ...(errors === undefined ? {} : { errors }) } };
  }
}

/** Stores the result of a call under the lock of its run and records the call in the journal. */
export async function endCall(scope: Scope, run: RunRow, call: Call, { status, value, code }: Over): Promise<void> {
  const { db, team, now } = scope;
  const { result, total } = keptResult(value);
  const { lockedRun, ended } = await pipelined({
    lockedRun: () => db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts }),
    ended: () => db.first(queries.endCall, { team, run: run.id, id: call.id, status, result, total, at: now }),
  });
  // This attempt no longer owns the run, or the call has ended: roll back.
  if (!lockedRun || !ended) throw new Superseded();
  db.send(storeSubjects, { team, run: run.id, ids: identifiersRead(call, result) });
  addRunEvent(scope, run.id, 'call.finished', { callId: call.id, tool: call.tool, status, ...(code === undefined ? {} : { error: code }) });
  await recordToolCall(scope, run, call, code ?? 'ok');
}

/** Records a call in the journal: its tool, its targets, a hash of its arguments and its result code. */
export async function recordToolCall(scope: Scope, run: RunRow, call: Call, result: string): Promise<void> {
  await recordAudit(scope, toolCalled, run.id, {
    callId: call.id,
    tool: call.tool.slice(0, 64),
    targets: targetsOf(call.arguments),
    argsHash: hashOfJson(call.arguments),
    result,
    onBehalfOf: run.on_behalf_of,
  });
}

/** Returns at most 10 identifiers from the top level of the arguments of a call. */
function targetsOf(given: unknown): string[] {
  const values = typeof given === 'object' && given !== null ? Object.values(given) : [];
  return values.filter((one): one is string => typeof one === 'string' && /^[0-9a-f-]{36}$/i.test(one)).slice(0, 10);
}
