import { isRole, scopesOfRole } from '#accounts';
import { type AgentRow, hasTool, mayRun } from '#agents';
import { hashOfJson } from '../../../platform/canonical-json.ts';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { notFound } from '../../../platform/identifiers.ts';
import type { TeamDeps } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { callOf, scopesOf, type Tool } from '../../../platform/tools.ts';
import { askPerson, isOwnRequest, whoIsAsked, readTarget, shownCall, type Target, whatIsAsked } from '../approvals/index.ts';
import { toolCalled } from '../events.ts';
import type { RunRow } from '../run-queries.ts';
import { noteSubjects } from '../subject-queries.ts';
import { tell } from '../stream/index.ts';
import { openCursor, sealCursor } from './cursors.ts';
import * as queries from './queries.ts';
import { keptResult } from './results.ts';
import { identifiersRead } from './disclosed-content.ts';
import { type CallRights, callRightsOf, type Looking, type NoRights, requireSameRights, type Rights, sightOf } from './permissions.ts';
import { type PinnedSkills, readSkillOfRun, skillTool } from './skills.ts';

export type CallDeps = TeamDeps & {
  skills: PinnedSkills;
  /** Seals where the pages end that agents are told. */
  places: Box;
};
export type Call = Pick<queries.CallRow, 'id' | 'tool' | 'arguments' | 'asked_hash' | 'decided_by' | 'sent_at'>;
export type Over = { status: 'done' | 'refused'; value: unknown; code?: string };

/** The run is not this attempt's any more, or is to end: what it did is undone. */
export class Superseded extends Error {}

/** The run has no rights any more: it ends, and nothing of what it was about is done. */
export class RightsEnded extends Error {
  readonly reason: NoRights;
  constructor(reason: NoRights) {
    super(reason);
    this.reason = reason;
  }
}

/** The rights by which a call is carried out. Errors: {@link RightsEnded}; {@link Superseded} where the agent is to run no more, which ends the run. */
export async function rightsForCall(looking: Looking, run: RunRow, call: Call): Promise<CallRights> {
  const rights = await callRightsOf(looking, run, call);
  if (typeof rights === 'string') throw new RightsEnded(rights);
  if (!mayRun(rights.agent)) throw new Superseded();
  return rights;
}

/** Why a call is not carried out: told to the model, which may do something else. */
export const refusal = (code: string, detail: string): Over => ({ status: 'refused', code, value: { error: code, detail } });

/** Whether a call of a tool is to be approved by a person before it is carried out. */
const wantsApproval = ({ approval }: Pick<AgentRow, 'approval'>, { mutating }: Tool): boolean =>
  approval === 'always' || (approval === 'mutating' && mutating);

/** The tool that a call names, where the run has it now. */
export function toolFor(all: readonly Tool[], { agent, scopes }: Rights, name: string): Tool | Over {
  const tool = all.find((one) => one.name === name);
  if (!tool) return refusal('unknown_tool', 'There is no tool of this name.');
  if (!hasTool(agent, tool)) return refusal('tool_not_allowed', 'This agent does not have this tool.');
  const lacking = scopesOf(tool).find((scope) => !scopes.has(scope));
  if (lacking === undefined) return tool;
  return refusal('insufficient_scope', `The person whom this run is for does not have the right ${lacking}.`);
}

/**
 * Carries out one call of a run and writes what came of it. What changes something is done in the transaction that says so, once and no
 * more, whatever dies when. Rejects with {@link Superseded} when the run has been taken from this attempt, and with {@link RightsEnded} and
 * `RightsChanged`.
 */
export async function carryOut(deps: CallDeps, all: readonly Tool[], team: string, run: RunRow, call: Call): Promise<void> {
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
  /** Last of all: what was done stands only where the run is still this attempt's, and its rights are the same. */
  const end = async (tx: Transaction, over: Over): Promise<void> => {
    await endCall({ ...base, db: tx }, run, call, over);
    await requireSameRights({ db: tx, team }, run, call, rights);
  };
  const write = (over: Over) => database.inTeam(team, (tx) => end(tx, over));
  if (call.tool === skillTool.name) return write(await told(() => readSkillOfRun({ db, team }, agent, deps.skills, call.arguments)));
  const tool = toolFor(all, rights, call.tool);
  if (!('run' in tool)) return write(tool);
  const { places } = deps;
  const calling = { tool, all, rights, run, call, approved: wantsApproval(agent, tool), places };
  if (calling.approved && call.decided_by === null) {
    const refused = await told(() => ask(database, { ...base, db }, calling));
    return refused.value === asked ? undefined : write(refused);
  }
  if (!tool.inTransaction) return write(await told(() => performed({ ...base, db }, calling, tool.run)));
  return database.inTeam(team, async (tx) => {
    const over = await told(() => tx.attempt((part) => performed({ ...base, db: part }, calling, tool.run)));
    await end(tx, over);
  });
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

/** What a tool answers to a call that may be carried out now. Errors: those of the tool; {@link Refused}. */
async function performed<S extends ReadScope>(
  scope: S,
  calling: Calling,
  run: (scope: S, input: Record<string, unknown>) => Promise<unknown>,
): Promise<unknown> {
  const { approved } = calling;
  const input = await inputFor(scope, calling);
  const target = await targetOf(scope, calling, input);
  if (approved) await requireAsked(scope, calling, input, target);
  return toldTo(calling, await seenBy(scope, calling.rights, await run(scope, input)));
}

/** What a call would change, which whoever the run is for reads and nothing keeps from the agent. Errors: 404. */
const targetOf = (scope: ReadScope, { tool, all, rights }: Calling, input: Record<string, unknown>): Promise<Target | undefined> =>
  readTarget(scope, all, tool, input, (value) => seenBy(scope, rights, value));

/** Why a call is not carried out, found out on the way. */
class Refused extends Error {
  readonly over: Over;
  constructor(over: Over) {
    super(over.code);
    this.over = over;
  }
}

const asked = Symbol('a person was asked');

/** Asks for a call whose input is right and whose target there is. Errors: those of reading what it names; {@link Refused}. */
async function ask(
  database: Database,
  scope: ReadScope & { listeners: readonly EventListener[] },
  calling: Calling,
): Promise<typeof asked> {
  const { tool, rights, run, call } = calling;
  const { team } = scope;
  const input = await inputFor(scope, calling);
  const target = await targetOf(scope, calling, input);
  const person = await whoIsAsked(scope, rights.agent, run, (actor) => reads({ ...scope, actor }, calling, input, target));
  if (person === undefined) throw new Refused(refusal('no_approver', notAsked.no_approver));
  const question = {
    question: 'approval' as const,
    person,
    run,
    call,
    hash: whatIsAsked(run.id, call, tool, target),
    shown: shownCall(rights.agent.name, call, target),
  };
  const outcome = await database.inTeam(team, async (db) => {
    const held = await db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts });
    if (!held) throw new Superseded();
    return askPerson({ ...scope, db }, question);
  });
  if (outcome === 'asked') return asked;
  throw new Refused(refusal(outcome, notAsked[outcome]));
}

/** What was approved is carried out as it was approved, by somebody who may still do it themself, or not at all. */
export const stale = refusal(
  'approval_stale',
  'The target changed after the approval, or the approver no longer has the right. Read it again, and request approval again.',
);

/** Why nobody was asked about a call, as the model is told. */
export const notAsked = {
  approval_limit: 'So many calls wait for a person already that no more are asked for. Do without this one.',
  no_approver: 'A person other than the owner of the run must approve the call, and there is no such approver. Say so.',
  arguments_too_long: 'The arguments are longer than a person would read before they approve the call. Ask for less at once.',
};

/** Looks whether what is about to be done is what was approved, by somebody who may still do it themself. Errors: {@link Refused}. */
async function requireAsked(
  scope: ReadScope,
  { tool, all, rights, run, call }: Calling,
  input: Record<string, unknown>,
  target: Target | undefined,
): Promise<void> {
  const same = whatIsAsked(run.id, call, tool, target) === call.asked_hash;
  const { approver } = rights;
  const role = approver?.type === 'user' ? approver.role : undefined;
  const held = new Set<string>(isRole(role) ? scopesOfRole(role) : []);
  const own = isOwnRequest(rights.agent, run, call.decided_by);
  const may = approver !== undefined && !own && scopesOf(tool).every((one) => held.has(one));
  if (!same || !may || !(await reads({ ...scope, actor: approver }, { all, tool }, input, target))) throw new Refused(stale);
}

/** Whether somebody reads what a call would change, where the run itself reads that: else it would be told whether there is such a thing. */
async function reads(
  scope: ReadScope,
  { all, tool }: Pick<Calling, 'all' | 'tool'>,
  input: Record<string, unknown>,
  target: Target | undefined,
): Promise<boolean> {
  if (target === undefined) return true;
  try {
    await readTarget(scope, all, tool, input);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

/** The input of a call, which names nothing that is out of the agent's own reach. */
async function inputFor(looking: Looking, { tool, rights, call, places }: Calling): Promise<Record<string, unknown>> {
  const { agent, scopes } = rights;
  const input = callOf(
    tool,
    scopes,
    withPlace(call.arguments, (sealed) => openCursor(places, listOf(agent, tool), sealed)),
  );
  const { hides, sees } = await sightOf(looking, agent, input);
  // What a call changes is named in one place: what it writes elsewhere, as in a title, makes it about nothing.
  const about = tool.target ? input[tool.target.by] : input;
  if (hides(input) || (tool.mutating && !sees(about))) throw notFound('thing');
  return input;
}

/** Which list a cursor is of. */
const listOf = ({ id }: Pick<AgentRow, 'id'>, tool: Tool): string => `agent list ${id} ${tool.name}`;

/** The arguments of a call, whose cursor is another. */
function withPlace(given: unknown, opened: (sealed: string) => string): unknown {
  if (typeof given !== 'object' || given === null || !('cursor' in given) || typeof given.cursor !== 'string') return given;
  return { ...given, cursor: opened(given.cursor) };
}

/** An answer as the agent is told it: see {@link sealCursor}. */
function toldTo({ tool, rights, places }: Calling, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nextCursor' in value) || typeof value.nextCursor !== 'string') return value;
  return { ...value, nextCursor: sealCursor(places, listOf(rights.agent, tool), value.nextCursor) };
}

/** What of an answer the agent itself may see: of a list what it may see of it, of one thing all or nothing. */
async function seenBy(looking: Looking, { agent }: Rights, value: unknown): Promise<unknown> {
  const { sees } = await sightOf(looking, agent, value);
  if (typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items))
    return { ...value, items: value.items.filter(sees) };
  if (!sees(value)) throw notFound('thing');
  return value;
}

/** What comes of a tool that may refuse: its refusal is an answer too. */
async function told(work: () => Promise<unknown>): Promise<Over> {
  try {
    return { status: 'done', value: (await work()) ?? {} };
  } catch (error) {
    if (error instanceof Refused) return error.over;
    if (!(error instanceof Problem)) throw error;
    const { code, detail, errors } = error.status < 500 ? error : problems.unavailable('It did not work just now.');
    return { status: 'done', code, value: { error: code, detail, ...(errors === undefined ? {} : { errors }) } };
  }
}

/** Writes what came of a call, under the lock of its run, and tells the journal. */
export async function endCall(scope: Scope, run: RunRow, call: Call, { status, value, code }: Over): Promise<void> {
  const { db, team, now } = scope;
  const { result, total } = keptResult(value);
  const { held, ended } = await pipelined({
    held: () => db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts }),
    ended: () => db.first(queries.endCall, { team, run: run.id, id: call.id, status, result, total, at: now }),
  });
  // Of what was not the attempt's to write nothing stays.
  if (!held || !ended) throw new Superseded();
  db.send(noteSubjects, { team, run: run.id, ids: identifiersRead(call, result) });
  tell(scope, run.id, 'call.finished', { callId: call.id, tool: call.tool, status, ...(code === undefined ? {} : { error: code }) });
  await noteCall(scope, run, call, code ?? 'ok');
}

/** Tells the journal of a call: that it was made, or why it was not, without what it says. */
export async function noteCall(scope: Scope, run: RunRow, call: Call, result: string): Promise<void> {
  await recordAudit(scope, toolCalled, run.id, {
    callId: call.id,
    tool: call.tool.slice(0, 64),
    targets: targetsOf(call.arguments),
    argsHash: hashOfJson(call.arguments),
    result,
    onBehalfOf: run.on_behalf_of,
  });
}

/** The identifiers that a call names at the top of its arguments. */
function targetsOf(given: unknown): string[] {
  const values = typeof given === 'object' && given !== null ? Object.values(given) : [];
  return values.filter((one): one is string => typeof one === 'string' && /^[0-9a-f-]{36}$/i.test(one)).slice(0, 10);
}
