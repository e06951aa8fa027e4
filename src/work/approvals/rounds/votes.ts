import { cancelVotes, lockRound, lockWorkflow, taskCompleted, taskRejected } from '#tasks';
import type { DueWork } from '../../../platform/jobs/due-jobs.ts';
import { type EventListener, on } from '../../../platform/journal/listeners.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { roundResult, type Seats } from '../quorum.ts';
import { roundEventData } from './event-data.ts';
import { approvalDecided, approvalVoided, approvalVoted, expiryFailed } from './events.ts';
import * as queries from './queries.ts';

/** Why a round was voided. */
export type VoidReason =
  | 'document_changed'
  | 'step_restarted'
  | 'workflow_ended'
  | 'run_ended'
  | 'restarted'
  | 'call_changed'
  | 'caller_ended'
  | 'policy_changed';

/** The end of a task that is a vote. */
type Vote = { roundId?: string; outcome?: string; completedBy?: string };

/** Counts the completion of a task as a vote. The completion has locked the round. */
export const voteListeners: readonly EventListener[] = [taskCompleted, taskRejected].map((event) =>
  on(event, async (scope, { targetId, data }) => {
    if (data.roundId !== undefined) await countVote(scope, data.roundId, { ...data, taskId: targetId });
  }),
);

/** Counts a vote, and ends the round as soon as its result cannot change. */
async function countVote(scope: Scope, id: string, vote: Vote & { taskId: string }): Promise<void> {
  const { db, team } = scope;
  const row = await db.first(queries.findRound, { team, id });
  const candidates = await db.all(queries.candidatesOf, { team, id });
  const voter = candidates.find(({ task_id: task }) => task === vote.taskId);
  if (row?.status !== 'open' || !voter) throw new Error(`the task ${vote.taskId} is not a vote of the open round ${id}`);
  const by = vote.completedBy;
  const absent = by === undefined || by === voter.account_id ? {} : { onBehalfOf: voter.account_id };
  const outcome = vote.outcome ?? 'rejected';
  await record(scope, approvalVoted, id, {
    ...roundEventData(row),
    taskId: vote.taskId,
    outcome,
    ...(by === undefined ? {} : { votedBy: by }),
    ...absent,
  });
  const result = resultOf(row, candidates);
  if (result === undefined) return db.send(queries.touchRound, { team, id, at: scope.now });
  await end(scope, id, { ...result, cancel: 'round_decided', ...(by === undefined ? {} : { by: { decidedBy: by, ...absent } }) });
}

/** Returns the result of a round; undefined while further votes can change it. The outcome of a rejected round is that of its first rejection. */
export function resultOf(
  row: Pick<queries.RoundRow, 'need' | 'on_rejection'>,
  candidates: readonly queries.CandidateRow[],
): { status: 'approved' | 'rejected'; outcome: string } | undefined {
  const seats: Seats = {
    counts: row.need.map(({ count }) => count),
    candidates: new Map(candidates.map((one) => [one.account_id, one.places])),
  };
  const voted = candidates
    .filter(({ status }) => status === 'completed' || status === 'rejected')
    .toSorted((a, b) => (a.completed_at ?? '').localeCompare(b.completed_at ?? ''));
  const votes = new Map(voted.map((one) => [one.account_id, one.outcome ?? 'rejected']));
  const status = roundResult(seats, votes, row.on_rejection === 'quorum' ? 'quorum' : 'first');
  if (status === 'open') return undefined;
  const rejection = voted.find(({ outcome }) => outcome !== 'approved')?.outcome ?? 'rejected';
  return { status, outcome: status === 'approved' ? status : rejection };
}

type RoundEnd = {
  status: 'approved' | 'rejected' | 'expired';
  outcome: string | null;
  cancel: 'round_decided' | 'round_expired';
  by?: { decidedBy: string; onBehalfOf?: string };
};

/** Ends a locked round, cancels its remaining votes and records the result. The domain of its subject reacts to the event. */
async function end(scope: Scope, id: string, { status, outcome, cancel, by }: RoundEnd): Promise<void> {
  const ended = await scope.db.first(queries.endRound, { team: scope.team, id, from: ['open'], status, outcome, at: scope.now });
  if (!ended) throw new Error(`the round ${id} changed under its lock`);
  await cancelVotes(scope, id, cancel);
  await record(scope, approvalDecided, id, { ...roundEventData(ended), status, ...(outcome === null ? {} : { outcome }), ...by });
}

/** Voids the open rounds of a workflow, or of some of its steps. The caller has locked the workflow. */
export async function voidRounds(
  scope: Scope,
  workflow: string,
  { steps, reason }: { steps?: readonly string[] | undefined; reason: VoidReason },
): Promise<void> {
  const open = await scope.db.all(queries.lockRoundsOfWorkflow, { team: scope.team, workflow, steps: steps ?? null });
  for (const { id } of open) await voidRound(scope, id, reason);
}

/** Voids a locked open round and cancels its votes. If a call changed, its approved round is voided too, because that round approved another call. */
export async function voidRound(scope: Scope, id: string, reason: VoidReason): Promise<void> {
  const from = reason === 'call_changed' ? ['open', 'approved'] : ['open'];
  const row = await scope.db.first(queries.endRound, { team: scope.team, id, from, status: 'voided', outcome: reason, at: scope.now });
  if (!row) return;
  await cancelVotes(scope, id, reason === 'document_changed' ? reason : 'round_voided');
  await record(scope, approvalVoided, id, { ...roundEventData(row), reason });
}

/**
 * Ends a locked round if it is open and has expired, by the clock of the database. Does nothing if a vote has ended it,
 * or if its workflow is paused.
 */
export async function expireRound(scope: Scope, id: string): Promise<void> {
  if (await scope.db.first(queries.expiredRound, { team: scope.team, id }))
    await end(scope, id, { status: 'expired', outcome: null, cancel: 'round_expired' });
}

/** Ends rounds that have expired. */
export const roundExpiry: DueWork = {
  job: 'approval-expiry',
  due: queries.dueRounds,
  async run(scope, { id }) {
    const { db, team } = scope;
    const row = await db.first(queries.findRound, { team, id });
    if (!row) return;
    if (row.workflow_id !== null) await db.first(lockWorkflow, { team, workflow: row.workflow_id });
    await db.first(lockRound, { team, round: id });
    await expireRound(scope, id);
  },
  setAside: { act: expiryFailed, target: ({ id }) => id },
};
