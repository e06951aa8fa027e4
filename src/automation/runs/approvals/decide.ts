import { maxOfServers, usableAgent } from '#agents';
import { hashOfJson } from '../../../platform/canonical-json.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { approvalDecided, outcomeDecided, toolCalled } from '../events.ts';
import { tell } from '../stream/index.ts';
import { runProblems } from '../problems.ts';
import { isOwnRequest } from './four-eyes.ts';
import { toldOutcomes, unknownOutcome } from './outcome.ts';
import { lockRun, placesJob } from '../run-job.ts';
import * as queries from './queries.ts';

type Expired = { outcome: 'expired' };
type Approval = { outcome: 'approved' | 'denied'; by: string } | Expired;
type Outcome = { outcome: 'happened' | 'not_happened'; by: string } | Expired;
export type Decision = Approval | Outcome;

const details = {
  denied: 'A person has refused this call. It was not carried out.',
  expired: 'The call was not approved in time. It was not executed.',
};

/**
 * Writes what was said of the call that a task asks about, and has its run go on: whether it may be carried out, or whether it was. The task
 * is locked by the caller. Whether there was something to decide: the call waits still, and its run is not over or to end. Errors: 403
 * `own_request`, 409 `call_in_progress`.
 */
export async function decide(scope: Scope, task: string, decision: Decision): Promise<boolean> {
  const { db, team, now } = scope;
  const asked = await db.first(queries.callOfTask, { team, task });
  if (!asked) return false;
  const { id, run_id: run, agent_id: agentId, tool } = asked;
  const held = await lockRun(scope, asked.job_id, run);
  if (!held || held.finished_at !== null || held.cancel_reason !== null) return false;
  const late = decision.outcome !== 'expired' && new Date(asked.expires_at) <= now;
  if (late) return false;
  if (decision.outcome === 'approved') {
    const agent = await usableAgent({ ...scope, actor: { type: 'system' } }, agentId);
    if (isOwnRequest(agent, held, decision.by))
      throw runProblems.own_request('This agent has `fourEyes`: the owner and the requester of the run cannot approve its calls.');
  }
  const about = { agentId, callId: id, tool, taskId: task, ...('by' in decision ? { decidedBy: decision.by } : {}) };
  if (asked.status === 'unknown') {
    const { outcome } = decision as Outcome;
    if (!(await writeOutcome(scope, asked, outcome))) return false;
    await record(scope, outcomeDecided, run, { ...about, outcome });
  } else {
    const approval = decision as Approval;
    if (!(await writeApproval(scope, asked, approval))) return false;
    await record(scope, approvalDecided, run, { ...about, outcome: approval.outcome });
  }
  tell(scope, run, 'call.decided', { callId: id, outcome: decision.outcome });
  if (await db.first(queries.wakeRun, { team, run })) enqueue({ db, team }, placesJob, {});
  return true;
}

async function writeApproval(scope: Scope, asked: queries.AskedCall, decision: Approval): Promise<boolean> {
  const { db, team, now: at } = scope;
  const { id, run_id: run, tool, arguments: given, on_behalf_of: onBehalfOf } = asked;
  if (decision.outcome === 'approved') return (await db.first(queries.approveCall, { team, run, id, by: decision.by, at })) !== undefined;
  const { outcome } = decision;
  const result = JSON.stringify({ error: outcome, detail: details[outcome] });
  const by = outcome === 'denied' ? decision.by : null;
  const refused = await db.first(queries.refuseCall, { team, run, id, by, decidedAt: by === null ? null : at, result, at });
  if (refused)
    await recordAudit(scope, toolCalled, run, { callId: id, tool, targets: [], argsHash: hashOfJson(given), result: outcome, onBehalfOf });
  return refused !== undefined;
}

/** Errors: 409 `call_in_progress`: the server may still be at it, so that nobody can have seen that it has not happened. */
async function writeOutcome(scope: Scope, asked: queries.AskedCall, outcome: Outcome['outcome']): Promise<boolean> {
  const { db, team, now: at } = scope;
  const { id, run_id: run, sent_at: sent } = asked;
  if (outcome !== 'expired' && sent !== null && at.getTime() < new Date(sent).getTime() + maxOfServers.callMs)
    throw runProblems.call_in_progress(
      'The server may still be executing the call. Check its outcome half a minute after it was sent, and then complete the task.',
    );
  const result = JSON.stringify(outcome === 'expired' ? unknownOutcome : toldOutcomes[outcome]);
  const status = outcome === 'not_happened' ? 'refused' : 'done';
  return (await db.first(queries.settleCall, { team, run, id, status, result, at })) !== undefined;
}
