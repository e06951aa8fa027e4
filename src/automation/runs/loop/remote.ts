import { type AgentRow, callRemoteTool, noteChangedTool, RemoteFailure, type RemoteTool, remoteToolsOf, type Servers } from '#agents';
import { hashOfJson } from '../../../platform/canonical-json.ts';
import type { Scope } from '../../../platform/scope.ts';
import { askPerson, isOwnRequest, shownCall, shownOutcome, unknownOutcome, whoIsAsked, whoLooks } from '../approvals/index.ts';
import type { OfferedTool } from '../model/index.ts';
import type { RunRow } from '../run-queries.ts';
import { type Call, type CallDeps, endCall, notAsked, noteCall, type Over, refusal, rightsForCall, stale, Superseded } from './call.ts';
import * as queries from './queries.ts';
import { type CallRights, type Looking, mayHaveRun, requireSameRights } from './permissions.ts';
import { skillTool } from './skills.ts';

export type RemoteDeps = Omit<CallDeps, 'places'> & { servers: Servers; signal: AbortSignal };

/** The tools of servers elsewhere as the model is offered them: it is told that they are elsewhere, whatever they say of themselves. */
export const offeredRemote = (tools: readonly RemoteTool[]): OfferedTool[] =>
  tools.map(({ name, description, inputSchema, row }) => ({
    type: 'function',
    name,
    description: `(A tool of the server ${row.slug} elsewhere, which sees what you call it with.) ${description}`,
    inputSchema: inputSchema as OfferedTool['inputSchema'],
  }));

/** Whether a call is to be approved: what is not said to read only, and what would take out what the run has read here. */
async function wantsApproval({ db, team }: Looking, run: RunRow, { approval }: AgentRow, tool: RemoteTool): Promise<boolean> {
  if (approval === 'always' || !tool.readOnly) return true;
  return !tool.trustedEgress && (await db.first(queries.hasRead, { team, run: run.id, skill: skillTool.name })) !== undefined;
}

/** What exactly is asked: this call of this run with these arguments, of a tool that says this of itself, at this address. */
const whatIsAsked = (run: RunRow, call: Call, { row }: RemoteTool): string =>
  hashOfJson({ run: run.id, call: call.id, tool: call.tool, toolHash: row.hash, url: row.url, arguments: call.arguments });

type Calling = { team: string; run: RunRow; call: Call; rights: CallRights; inTeam: <T>(act: (scope: Scope) => Promise<T>) => Promise<T> };

/** Carries out a call of a tool elsewhere, or asks for it, and writes what came of it. */
export async function carryOutRemote(deps: RemoteDeps, team: string, run: RunRow, call: Call): Promise<void> {
  const { database, listeners, clock } = deps;
  const db = database.reader(team);
  const rights = await rightsForCall({ db, team }, run, call);
  const { agent, person, scopes } = rights;
  const by = { actor: person, recordedAs: { type: 'agent', id: agent.id, scopes }, requestId: `run-${run.id}`, listeners } as const;
  const inTeam: Calling['inTeam'] = (act) => database.inTeam(team, (tx) => act({ ...by, team, now: clock(), db: tx }));
  const calling = { team, run, call, rights, inTeam };
  const tool = (await remoteToolsOf({ db, team }, agent)).find(({ name }) => name === call.tool);
  // Whether it may be sent is no question any more, but what came of it.
  if (call.sent_at !== null && !(tool && maySendAgain(tool))) return askOutcome(calling, agent);
  if (!tool) return end(calling, refusal('tool_not_allowed', 'This agent does not have this tool.'));
  if (await wantsApproval({ db, team }, run, agent, tool)) {
    if (call.decided_by === null) return ask(calling, agent, tool);
    const same = whatIsAsked(run, call, tool) === call.asked_hash && !isOwnRequest(agent, run, call.decided_by);
    if (!same || !(await mayHaveRun({ db, team }, run.agent_id, call.decided_by))) return end(calling, stale);
  }
  return send(deps, calling, agent, tool);
}

/** Whether a tool only reads, or does no more when it is called twice. */
const maySendAgain = ({ readOnly, idempotent }: RemoteTool): boolean => readOnly || idempotent;

const end = ({ run, call, inTeam }: Calling, over: Over): Promise<void> => inTeam((scope) => endCall(scope, run, call, over));

function ask({ team, run, call, inTeam }: Calling, agent: AgentRow, tool: RemoteTool): Promise<void> {
  const question = {
    question: 'approval' as const,
    run,
    call,
    hash: whatIsAsked(run, call, tool),
    shown: shownCall(agent.name, call, undefined),
  };
  return inTeam(async (scope) => {
    const held = await scope.db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts });
    if (!held) throw new Superseded();
    const person = await whoIsAsked(scope, agent, run);
    const outcome = person === undefined ? 'no_approver' : await askPerson(scope, { ...question, person });
    if (outcome !== 'asked') await endCall(scope, run, call, refusal(outcome, notAsked[outcome]));
  });
}

/** A call that was sent, and of which nobody knows what came of it. */
class Unknown extends Error {}

const unknown: Over = { status: 'done', code: unknownOutcome.error, value: unknownOutcome };

/** Asks a person what came of a call that was sent, and the run waits; where nobody can be asked it stays unknown. */
function askOutcome({ team, run, call, inTeam }: Calling, { name }: AgentRow): Promise<void> {
  return inTeam(async (scope) => {
    const held = await scope.db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts });
    if (!held) throw new Superseded();
    const person = await whoLooks(scope, run);
    const question = {
      question: 'outcome' as const,
      run,
      call,
      hash: hashOfJson({ run: run.id, call: call.id, tool: call.tool, arguments: call.arguments }),
      shown: shownOutcome(name, call),
    };
    if (person === undefined || (await askPerson(scope, { ...question, person })) !== 'asked') return endCall(scope, run, call, unknown);
    await noteCall(scope, run, call, unknownOutcome.error);
  });
}

/**
 * Sends a call. That it is about to be sent is committed before it is: what may change something is sent once, whatever dies when, and a
 * person is asked what came of it; what only reads, or does no more when it is called twice, is sent again.
 */
async function send({ servers, signal }: RemoteDeps, calling: Calling, agent: AgentRow, tool: RemoteTool): Promise<void> {
  const { team, run, call, rights, inTeam } = calling;
  const isSentOnce = !maySendAgain(tool);
  const before = () =>
    inTeam(async ({ db, now: at }) => {
      const held = await db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts });
      if (!held) throw new Superseded();
      // The server was asked for its tools before this, and takes as long as it likes.
      await requireSameRights({ db, team }, run, call, rights);
      if (!(await db.first(queries.noteSent, { team, run: run.id, id: call.id, at })) && isSentOnce) throw new Unknown();
      sent = true;
    });
  let sent = false;
  try {
    const came = await callRemoteTool(servers, { team, tool, input: call.arguments as Record<string, unknown>, signal, before });
    if (!('changed' in came))
      return await end(calling, { status: 'done', value: came.text, ...(came.failed ? { code: 'tool_failed' } : {}) });
    return await inTeam(async (scope) => {
      await noteChangedTool(scope, tool, came.tools);
      const detail = 'This tool changed after it was enabled. An administrator must review it.';
      await endCall(scope, run, call, refusal('tool_changed', detail));
    });
  } catch (error) {
    if (error instanceof Unknown || (error instanceof RemoteFailure && sent && isSentOnce)) return askOutcome(calling, agent);
    if (!(error instanceof RemoteFailure)) throw error;
    const value = { error: error.code, detail: 'The server of this tool did not answer as it should.' };
    return end(calling, { status: 'done', code: error.code, value });
  }
}
