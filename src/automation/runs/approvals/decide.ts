import { maxOfServers, usableAgent } from '#agents';
import { hashOfJson } from '../../../platform/canonical-json.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { approvalDecided, outcomeDecided, toolCalled } from '../events.ts';
import { addRunEvent } from '../stream/index.ts';
import { runProblems } from '../problems.ts';
import { isOwnRequest } from './four-eyes.ts';
import { reportedOutcomes, unknownOutcome } from './outcome.ts';
import { lockRun, placesJob } from '../run-job.ts';
import * as queries from './queries.ts';

type Expired = { outcome: 'expired' };
type Approval = { outcome: 'approved' | 'denied'; by: string } | Expired;
type Outcome = { outcome: 'happened' | 'not_happened'; by: string } | Expired;
export type Decision = Approval | Outcome;

const details = {
  denied: 'A person denied this call. It was not executed.',
  expired: 'The call was not approved in time. It was not executed.',
};

/**
 * Stores the decision about a waiting call, and continues its run. The decision is an approval, or the outcome of a sent call. The caller must
 * have locked its task or approval round. Returns false if the call no longer waits, its time has passed, or its run has ended or must end. Throws 403 `own_request`
 * and 409 `call_in_progress`.
 */
export async function decide(scope: Scope, pending: queries.PendingCall, decision: Decision): Promise<boolean> {
  const { db, team, now } = scope;
  const { id, run_id: run, agent_id: agentId, tool } = pending;
  const lockedRun = await lockRun(scope, pending.job_id, run);
  if (!lockedRun || lockedRun.finished_at !== null || lockedRun.cancel_reason !== null) return false;
  const late = decision.outcome !== 'expired' && new Date(pending.expires_at) <= now;
  if (late) return false;
  if (decision.outcome === 'approved') {
    const agent = await usableAgent({ ...scope, actor: { type: 'system' } }, agentId);
    if (isOwnRequest(agent, lockedRun, decision.by))
      throw runProblems.own_request(
        'This agent has `fourEyes`: the owner and the requester of the run cannot approve its calls. Reassign the task to another owner or administrator.',
      );
  }
  const question = questionOf(pending);
  const about = { agentId, callId: id, tool, ...question, ...('by' in decision ? { decidedBy: decision.by } : {}) };
  if (pending.status === 'unknown') {
    const { outcome } = decision as Outcome;
    if (!(await writeOutcome(scope, pending, outcome))) return false;
    await record(scope, outcomeDecided, run, { ...about, outcome });
  } else {
    const approval = decision as Approval;
    if (!(await writeApproval(scope, pending, approval))) return false;
    await record(scope, approvalDecided, run, { ...about, outcome: approval.outcome });
  }
  addRunEvent(scope, run, 'call.decided', { callId: id, outcome: decision.outcome });
  if (await db.first(queries.wakeRun, { team, run })) enqueue({ db, team }, placesJob, {});
  return true;
}

/** Returns the task or approval round of a waiting call. A sent call has a task about its outcome. */
const questionOf = ({ status, task_id: task, approval_round_id: round }: queries.PendingCall) => ({
  ...(task === null || (round !== null && status !== 'unknown') ? {} : { taskId: task }),
  ...(round === null || status === 'unknown' ? {} : { roundId: round }),
});

async function writeApproval(scope: Scope, pending: queries.PendingCall, decision: Approval): Promise<boolean> {
  const { db, team, now: at } = scope;
  const { id, run_id: run, tool, arguments: given, on_behalf_of: onBehalfOf } = pending;
  if (decision.outcome === 'approved') return (await db.first(queries.approveCall, { team, run, id, by: decision.by, at })) !== undefined;
  const { outcome } = decision;
  const result = JSON.stringify({ error: outcome, detail: details[outcome] });
  const by = outcome === 'denied' ? decision.by : null;
  const refused = await db.first(queries.refuseCall, { team, run, id, by, decidedAt: by === null ? null : at, result, at });
  if (refused)
    await recordAudit(scope, toolCalled, run, { callId: id, tool, targets: [], argsHash: hashOfJson(given), result: outcome, onBehalfOf });
  return refused !== undefined;
}

/**
 * Stores the reported outcome of a call. Throws 409 `call_in_progress` while the server may still execute the call, because its outcome is not final.
 */
async function writeOutcome(scope: Scope, pending: queries.PendingCall, outcome: Outcome['outcome']): Promise<boolean> {
  const { db, team, now: at } = scope;
  const { id, run_id: run, sent_at: sent } = pending;
  if (outcome !== 'expired' && sent !== null && at.getTime() < new Date(sent).getTime() + maxOfServers.callMs)
    throw runProblems.call_in_progress(
      'The server may still be executing the call. Check its result 30 s after it was sent, and then complete the task.',
    );
  const result = JSON.stringify(outcome === 'expired' ? unknownOutcome : reportedOutcomes[outcome]);
  const status = outcome === 'not_happened' ? 'refused' : 'done';
  return (await db.first(queries.endCallRow, { team, run, id, status, result, at })) !== undefined;
}
