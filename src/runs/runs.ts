import { randomUUIDv7 } from 'node:crypto';
import { lockedAgent, mayRun, seesAllAgents, usableAgent } from '#agents';
import { largestId, notFound, pathId, smallestId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { Problem, problems } from '../platform/problems.ts';
import type { Via } from '../platform/reasons.ts';
import { type Actor, type ReadScope, runsTeam, type Scope } from '../platform/scope.ts';
import { allowedModels } from './consent/index.ts';
import type { Runs } from './context.ts';
import { whatWasTold } from './delivery/index.ts';
import { endRuns } from './end-runs.ts';
import { runCancelled, runRequested } from './events.ts';
import { lockRun } from './locked-run.ts';
import { mostWaiting } from './policy.ts';
import { callsOf, shownCharacters, stepsOf } from './loop/index.ts';
import { readPayload } from './payload.ts';
import { presentBriefly, presentRun, presentTranscript } from './present.ts';
import { runProblems } from './problems.ts';
import { takePlaces } from './run-job.ts';
import { withheldCalls } from './withheld.ts';
import { limitsCost } from './policy.ts';
import * as queries from './run-queries.ts';
import type { RequestRun, Requested, Run, Transcript } from './schemas.ts';
import { findJob, holdJob, personOf } from './service.ts';

export type RunFilters = { jobId?: string | undefined; agentId?: string | undefined };

/** Runs of a job that there is, the newest first. Errors: 404. */
export async function historyOf(scope: ReadScope, id: string, page: { limit: number; before: string | undefined }): Promise<Run[]> {
  const job = await findJob(scope, id);
  return listRuns(scope, { jobId: job.id }, page);
}

/** Runs of the team, the newest first: of a job, also one that has been deleted, or else of an agent, or all. One more than `limit` where more follow. */
export async function listRuns(
  { db, team, actor }: ReadScope,
  { jobId, agentId }: RunFilters,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Run[]> {
  if (!seesAllAgents(actor)) return [];
  const page = { team, before: before ?? largestId, limit };
  let rows: queries.RunRow[];
  if (jobId !== undefined) rows = await db.all(queries.runsOfJob, { ...page, job: jobId });
  else if (agentId !== undefined) rows = await db.all(queries.runsOfAgent, { ...page, agent: agentId });
  else rows = await db.all(queries.runsOfTeam, page);
  // What was said is looked at run by run: not everybody may read everything that each has read.
  const told = await whatWasTold({ db, team }, rows);
  return rows.map((row) => presentRun(row, { told: told.get(row.id) }));
}

/** One run, for whoever asked for it and those who see all agents; whoever else may use its agent sees that it is there. Errors: 404. */
export async function getRun(scope: ReadScope, id: string): Promise<Run> {
  const row = await visibleRun(scope, id);
  if (seesAllAgents(scope.actor) || isInitiator(scope.actor, row)) return shownRun(scope, row);
  return presentBriefly(row);
}

/** A run with what the agent said last, unless that may come of what somebody may not read any more. */
async function shownRun(scope: ReadScope, row: queries.FoundRun): Promise<Run> {
  const { db, team, actor } = scope;
  const told = (await whatWasTold(scope, [row])).get(row.id);
  if (actor.type !== 'user' || row.summary === null) return presentRun(row, { whole: actor.type === 'user', told });
  const calls = await db.all(callsOf, { team, run: row.id, most: shownCharacters });
  return presentRun(row, { whole: true, withheld: (await withheldCalls(scope, calls)).size > 0, told });
}

/** One run of a job. Errors: 404. */
export async function getRunOf(scope: ReadScope, jobId: string, id: string): Promise<Run> {
  const { id: job } = await findJob(scope, jobId);
  const row = await visibleRun(scope, id);
  if (row.job_id !== job) throw notFound('run');
  return shownRun(scope, row);
}

/** A run that the actor may know of. Errors: 404. */
async function visibleRun(scope: ReadScope | Scope, id: string): Promise<queries.FoundRun> {
  const { db, team, actor } = scope;
  const row = await db.first(queries.findRun, { team, id: pathId(id, 'run') });
  // What is looked at is the same whether there is the run or not.
  if (!seesAllAgents(actor) && !(row && isInitiator(actor, row))) await hiddenAs('run', usableAgent(scope, row?.agent_id ?? smallestId));
  if (!row) throw notFound('run');
  return row;
}

/** What is missing, or not theirs to see, is so as `thing`. */
async function hiddenAs(thing: string, looking: Promise<unknown>): Promise<void> {
  try {
    await looking;
  } catch (error) {
    throw error instanceof Problem ? notFound(thing) : error;
  }
}

/** Whether somebody asked for a run, and has been in the team since. */
const isInitiator = (actor: Actor, { requested_by: by, on_behalf_of: person, asker_left: left }: queries.FoundRun): boolean =>
  actor.type === 'user' && actor.id === (by ?? person) && !left;

/** The run whose events somebody follows: one they have asked for, or any for those who run the team. Errors: 404. */
export async function followedRun({ db, team, actor }: ReadScope, id: string): Promise<{ id: string; over: boolean; via: Via }> {
  const row = await db.first(queries.findRun, { team, id: pathId(id, 'run') });
  const own = row !== undefined && isInitiator(actor, row);
  if (!row || !(own || runsTeam(actor))) throw notFound('run');
  return { id: row.id, over: row.finished_at !== null, via: own ? 'owner' : 'role' };
}

/** What was said in a run, for whoever asked for it and those who run the team. Errors: 404. */
export async function getTranscript(scope: ReadScope, id: string): Promise<{ transcript: Transcript; via: Via }> {
  const { db, team, actor } = scope;
  const row = await db.first(queries.findRun, { team, id: pathId(id, 'run') });
  const own = row !== undefined && isInitiator(actor, row);
  if (!row || !(own || runsTeam(actor))) throw notFound('run');
  const steps = await db.all(stepsOf, { team, run: row.id });
  const calls = await db.all(callsOf, { team, run: row.id, most: shownCharacters });
  return { transcript: presentTranscript(row, steps, calls, await withheldCalls(scope, calls)), via: own ? 'owner' : 'role' };
}

/**
 * Has a run end: whoever has it in hand ends it within a second, and what it asked of people is withdrawn. One that is over, or is to end already, stays so.
 * Errors: 403, 404.
 */
export async function cancelRun(scope: Scope, id: string): Promise<Requested> {
  const { actor } = scope;
  const row = await visibleRun(scope, id);
  if (!isInitiator(actor, row) && !runsTeam(actor))
    throw problems.forbidden('Whoever asked for a run cancels it, and those who run the team.');
  const held = await lockRun(scope, row.job_id, row.id);
  const status = held?.status ?? row.status;
  if (held?.finished_at === null && held.cancel_reason === null) {
    await endRuns(scope, { run: row.id, reason: 'cancelled' });
    await recordAct(scope, runCancelled, row.id, {});
  }
  return { runId: row.id, status };
}

/** Runs that were asked for by themselves and wait at most, in one team. */
const mostRequested = 100;

/**
 * Has an agent run now, with the rights of whoever asks. Errors: 404, 409 `agent_not_running`, `no_model`, `model_not_enabled` or
 * `runs_waiting`.
 */
export async function requestAgentRun({ atOnce, model }: Runs, scope: Scope, agentId: string, input: RequestRun): Promise<Requested> {
  const { db, team, now } = scope;
  const by = personOf(scope);
  const agent = await lockedAgent(scope, agentId);
  if (!mayRun(agent))
    throw runProblems.agent_not_running('The agent is switched off or was stopped. `enabled` and `stopped` of the agent say which.');
  const allowed = await allowedModels(scope, model);
  if (allowed === 'no_model_configured') throw runProblems.no_model('Whoever runs the service has set up no model that agents could ask.');
  if (allowed === 'model_not_enabled')
    throw runProblems.model_not_enabled('No administrator has allowed yet that content of the team goes to the model.');
  const asked = input.model ?? agent.model ?? allowed.models[0] ?? '';
  if (limitsCost(agent, allowed) && !model?.prices.has(asked))
    throw runProblems.model_price_unknown(
      'What runs of this agent, or of the team, may cost is limited, and the model that would be asked has no price.',
    );
  const told = readPayload({ message: input.message });
  const waiting = (await db.first(queries.waitingRequests, { team }))?.waiting ?? 0;
  if (waiting >= mostRequested)
    throw runProblems.runs_waiting(`${waiting} runs that were asked for wait already. Wait until some of them have ended.`);
  const runId = randomUUIDv7();
  const settings = { message: told?.message ?? '', model: input.model ?? null, timeout: input.timeoutSeconds ?? null };
  db.send(queries.insertRequested, { team, id: runId, agent: agent.id, onBehalfOf: by, ...settings, at: now });
  await takePlaces(db, [team], atOnce);
  await recordAct(scope, runRequested, runId, { agentId: agent.id });
  return { runId, status: 'queued' };
}

/**
 * Has a job run now, also one that is paused, with the rights of whoever answers for it; when it is due next stays. Errors: 404,
 * 409 `run_in_progress` or `runs_waiting`, 422 `model_price_unknown`.
 */
export async function requestRun({ atOnce }: Runs, scope: Scope, id: string): Promise<Requested> {
  const { db, team, now } = scope;
  const job = await holdJob(scope, id);
  const { begun = 0, waiting = 0 } = (await db.first(queries.liveRuns, { team, job: job.id })) ?? {};
  if (job.overlap === 'skip' && begun + waiting > 0)
    throw runProblems.run_in_progress('A run of this job is under way or waits. Wait until it has ended.');
  if (job.overlap === 'queue' && waiting >= mostWaiting)
    throw runProblems.runs_waiting(`${waiting} runs of this job wait already. Wait until some of them have ended.`);
  if (job.overlap === 'replace') await endRuns(scope, { job: job.id, reason: 'replaced' });
  const runId = randomUUIDv7();
  const by = personOf(scope);
  db.send(queries.insertManual, { team, id: runId, job: job.id, agent: job.agent_id, onBehalfOf: job.on_behalf_of, by, at: now });
  await takePlaces(db, [team], atOnce);
  await recordAct(scope, runRequested, runId, { jobId: job.id });
  return { runId, status: 'queued' };
}
