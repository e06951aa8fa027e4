import { type AgentRow, callRemoteTool, recordChangedTool, RemoteFailure, type RemoteTool, remoteToolsOf, type Servers } from '#agents';
import { approversOfRound } from '#tasks';
import { hashOfJson } from '../../../platform/canonical-json.ts';
import type { Scope } from '../../../platform/scope.ts';
import {
  askPerson,
  askRound,
  isOwnRequest,
  shownCall,
  shownOutcome,
  unknownOutcome,
  findApprover,
  findOutcomeReporter,
} from '../approvals/index.ts';
import type { OfferedTool } from '../model/index.ts';
import type { RunRow } from '../run-queries.ts';
import {
  type Call,
  type CallDependencies,
  endCall,
  lockToAsk,
  noRequestReasons,
  recordToolCall,
  type Over,
  refusal,
  rightsForCall,
  stale,
  Superseded,
} from './call.ts';
import * as queries from './queries.ts';
import { type CallRights, type TeamReader, mayHaveRun, requireSameRights } from './permissions.ts';
import { skillTool } from './skills.ts';

export type RemoteDependencies = Omit<CallDependencies, 'places'> & { servers: Servers; signal: AbortSignal };

/** The tools of external servers as the model gets them. The description always states that the server is external. */
export const offeredRemote = (tools: readonly RemoteTool[]): OfferedTool[] =>
  tools.map(({ name, description, inputSchema, row }) => ({
    type: 'function',
    name,
    description: `(A tool of the external server ${row.slug}, which receives the arguments of your call.) ${description}`,
    inputSchema: inputSchema as OfferedTool['inputSchema'],
  }));

/** Whether a call needs approval: the tool is not declared read-only, or the call could send out data that the run has read. */
async function wantsApproval({ db, team }: TeamReader, run: RunRow, { approval }: AgentRow, tool: RemoteTool): Promise<boolean> {
  if (approval === 'always' || !tool.readOnly) return true;
  return !tool.trustedEgress && (await db.first(queries.hasRead, { team, run: run.id, skill: skillTool.name })) !== undefined;
}

/** Returns the hash of the exact request: the call, its arguments, the definition of the tool and its URL. */
const externalRequestHash = (run: RunRow, call: Call, { row }: RemoteTool): string =>
  hashOfJson({ run: run.id, call: call.id, tool: call.tool, toolHash: row.hash, url: row.url, arguments: call.arguments });

type Calling = { team: string; run: RunRow; call: Call; rights: CallRights; inTeam: <T>(act: (scope: Scope) => Promise<T>) => Promise<T> };

/** Executes a call of an external tool, or requests its approval, and stores the result. */
export async function carryOutRemote(deps: RemoteDependencies, team: string, run: RunRow, call: Call): Promise<void> {
  const { database, listeners, clock } = deps;
  const db = database.reader(team);
  const rights = await rightsForCall({ db, team }, run, call);
  const { agent, person, scopes } = rights;
  const by = { actor: person, recordedAs: { type: 'agent', id: agent.id, scopes }, requestId: `run-${run.id}`, listeners } as const;
  const inTeam: Calling['inTeam'] = (act) => database.inTeam(team, (tx) => act({ ...by, team, now: clock(), db: tx }));
  const calling = { team, run, call, rights, inTeam };
  const tool = (await remoteToolsOf({ db, team }, agent)).find(({ name }) => name === call.tool);
  // The call may have been sent already: only its outcome is open.
  if (call.sent_at !== null && !(tool && maySendAgain(tool))) return askOutcome(calling, agent);
  if (!tool) return end(calling, refusal('tool_not_allowed', 'This agent does not have this tool.'));
  if (await wantsApproval({ db, team }, run, agent, tool)) {
    if (call.decided_by === null) return ask(calling, agent, tool);
    const round = call.approval_round_id;
    const approvers = round === null ? [] : (await db.all(approversOfRound, { team, id: round })).map(({ id }) => id);
    if (externalRequestHash(run, call, tool) !== call.request_hash) return round === null ? end(calling, stale) : ask(calling, agent, tool);
    for (const approver of new Set([call.decided_by, ...approvers]))
      if (!(await mayApprove({ db, team }, agent, run, approver))) return end(calling, stale);
  }
  return send(deps, calling, agent, tool);
}

/** Whether a second call is harmless: the tool only reads, or is idempotent. */
const maySendAgain = ({ readOnly, idempotent }: RemoteTool): boolean => readOnly || idempotent;

const end = ({ run, call, inTeam }: Calling, over: Over): Promise<void> => inTeam((scope) => endCall(scope, run, call, over));

function ask({ run, call, inTeam }: Calling, agent: AgentRow, tool: RemoteTool): Promise<void> {
  const question = {
    run,
    call,
    hash: externalRequestHash(run, call, tool),
    shown: shownCall(agent.name, call, undefined),
  };
  return inTeam(async (scope) => {
    await lockToAsk(scope, run, call);
    const outcome = await askAny(scope, agent, question);
    if (outcome !== 'asked') await endCall(scope, run, call, refusal(outcome, noRequestReasons[outcome]));
  });
}

/** Whether a person may approve a call: they may run the agent, and did not request the run of an agent with four eyes. */
const mayApprove = async (reader: TeamReader, agent: AgentRow, run: RunRow, person: string): Promise<boolean> =>
  !isOwnRequest(agent, run, person) && (await mayHaveRun(reader, run.agent_id, person));

/** Asks the people of the approval policy, or one person. Returns `asked`, or why there was no request. */
async function askAny(
  scope: Scope,
  agent: AgentRow,
  question: Omit<Parameters<typeof askPerson>[1], 'person' | 'question'> & { run: RunRow; call: Call },
) {
  const policy = agent.approval_policy;
  if (policy === null) {
    const person = await findApprover(scope, agent, question.run);
    return person === undefined ? 'no_approver' : askPerson(scope, { ...question, question: 'approval', person });
  }
  const admits = (person: string) => mayApprove(scope, agent, question.run, person);
  return askRound(scope, { ...question, policy, fourEyes: agent.four_eyes, admits });
}

/** Thrown if a call was sent and its outcome is unknown. */
class Unknown extends Error {}

const unknown: Over = { status: 'done', code: unknownOutcome.error, value: unknownOutcome };

/** Asks a person for the outcome of a call, and lets the run wait. If there is no such person, the outcome stays unknown. */
function askOutcome({ team, run, call, inTeam }: Calling, { name }: AgentRow): Promise<void> {
  return inTeam(async (scope) => {
    const lockedRun = await scope.db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts });
    if (!lockedRun) throw new Superseded();
    const person = await findOutcomeReporter(scope, run);
    const question = {
      question: 'outcome' as const,
      run,
      call,
      hash: hashOfJson({ run: run.id, call: call.id, tool: call.tool, arguments: call.arguments }),
      shown: shownOutcome(name, call),
    };
    if (person === undefined || (await askPerson(scope, { ...question, person })) !== 'asked') return endCall(scope, run, call, unknown);
    await recordToolCall(scope, run, call, unknownOutcome.error);
  });
}

/**
 * First commits that the call is about to be sent, and then sends it. A call that may change data is sent at most once, and after a failure a person
 * reports its outcome. A read-only or idempotent call is sent again.
 */
async function send({ servers, signal }: RemoteDependencies, calling: Calling, agent: AgentRow, tool: RemoteTool): Promise<void> {
  const { team, run, call, rights, inTeam } = calling;
  const isSentOnce = !maySendAgain(tool);
  const before = () =>
    inTeam(async ({ db, now: at }) => {
      const lockedRun = await db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts });
      if (!lockedRun) throw new Superseded();
      // The list of tools came from the server, which may respond slowly: the rights may have changed since.
      await requireSameRights({ db, team }, run, call, rights);
      if (!(await db.first(queries.recordSent, { team, run: run.id, id: call.id, at })) && isSentOnce) throw new Unknown();
      sent = true;
    });
  let sent = false;
  try {
    const came = await callRemoteTool(servers, { team, tool, input: call.arguments as Record<string, unknown>, signal, before });
    if (!('changed' in came))
      return await end(calling, { status: 'done', value: came.text, ...(came.failed ? { code: 'tool_failed' } : {}) });
    return await inTeam(async (scope) => {
      await recordChangedTool(scope, tool, came.tools);
      const detail = 'This tool changed after it was enabled. An administrator must review it.';
      await endCall(scope, run, call, refusal('tool_changed', detail));
    });
  } catch (error) {
    if (error instanceof Unknown || (error instanceof RemoteFailure && sent && isSentOnce)) return askOutcome(calling, agent);
    if (!(error instanceof RemoteFailure)) throw error;
    const value = { error: error.code, detail: 'The server of this tool did not respond correctly.' };
    return end(calling, { status: 'done', code: error.code, value });
  }
}
