import { type AgentRow, filesOf, hasTool, mayRun, remoteToolsOf, type Servers, skillsOf } from '#agents';
import type { AskTools } from '#agents';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { inTeamAs, rejectedBy, type TeamDependencies } from '../../../platform/jobs/job.ts';
import type { Scope } from '../../../platform/scope.ts';
import { scopesOf, type Tool } from '../../../platform/tools.ts';
import type { RunConfig } from '../config.ts';
import { type Allowed, allowedModels } from '../consent/index.ts';
import type { End, Work } from '../execution.ts';
import { type AskModel, requestWithRetry, ModelFailure, type OfferedTool } from '../model/index.ts';
import { contentErased, limitsCost } from '../policy.ts';
import type { RunRow } from '../run-queries.ts';
import { awaitingOf } from '../approvals/index.ts';
import { claimRunSlots } from '../run-job.ts';
import { addRunEvent, type Texts } from '../stream/index.ts';
import { type Call, carryOut, RightsEnded, Superseded } from './call.ts';
import { instructionsFor, promptOf } from './prompt.ts';
import * as queries from './queries.ts';
import { shownCharacters } from './results.ts';
import { nothingDisclosed, hasReadErased } from './disclosed-content.ts';
import { carryOutRemote, offeredRemote } from './remote.ts';
import { type Rights, RightsChanged, rightsOf } from './permissions.ts';
import { mayReadSkills, type PinnedSkills, skillTool } from './skills.ts';
import {
  BudgetExhausted,
  callsIn,
  highestPriceOf,
  releaseReservation,
  type NewCall,
  offered,
  reserve,
  type Taken,
  tooLarge,
  writeStep,
} from './step.ts';

export type LoopDependencies = TeamDependencies & {
  /** Encrypts the list cursors that agents get. */
  places: Box;
  tools: AskTools;
  servers: Servers;
  config: RunConfig;
  /** Undefined without a configured model. */
  ask: AskModel | undefined;
  texts: Pick<Texts, 'begin'>;
};

const failed = (reason: string): End => ({ status: 'error', reason });

/**
 * Creates the loop of a run: it sends a request to the model, executes the requested calls and sends the results back. The loop ends when the model
 * requests no more calls. Each response and call is committed before the next step, so that another node can continue after a failure.
 */
export function createLoop(deps: LoopDependencies): Work {
  return async (team, run, signal) => {
    const late = AbortSignal.timeout(await leftMs(deps, team, run));
    const attempt = new Attempt(deps, team, run, AbortSignal.any([signal, late]));
    try {
      const end = await attempt.carryOut();
      return end === 'parked' ? undefined : end;
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return failed('run_timeout');
      if (error instanceof ModelFailure) return failed(error.code);
      if (error instanceof BudgetExhausted) {
        // A run of a schedule that has used nothing of the budget is skipped.
        const skipped = error.beforeAnything && (run.trigger === 'schedule' || run.trigger === 'misfire');
        return skipped ? { status: 'skipped', reason: 'budget_exhausted' } : failed('budget_exhausted');
      }
      if (error instanceof RightsEnded) return { status: 'cancelled', reason: error.reason };
      // Another attempt continues the run, or the run is about to be cancelled: the signal aborts this attempt.
      if (error instanceof Superseded) return rejectedBy(signal);
      throw error;
    }
  };
}

/** The parts of the next request to the model. */
type PromptParts = {
  number: number;
  steps: readonly queries.StepRow[];
  calls: readonly queries.CallRow[];
  models: readonly string[];
  agent: AgentRow;
  tools: OfferedTool[];
  maxCostPerDay: Allowed['maxCostPerDay'];
  taken: Taken;
};

/** One attempt at a run. */
class Attempt {
  readonly #deps: LoopDependencies;
  readonly #team: string;
  readonly #run: RunRow;
  readonly #signal: AbortSignal;
  readonly #inTeam: ReturnType<typeof inTeamAs>;
  readonly #begunAt = performance.now();
  /** Values that this attempt has read and written. No other attempt writes them. */
  readonly #disclosed = nothingDisclosed();
  #steps: readonly queries.StepRow[] | undefined;
  #taken: Taken | undefined;

  constructor(deps: LoopDependencies, team: string, run: RunRow, signal: AbortSignal) {
    this.#deps = deps;
    this.#team = team;
    this.#run = run;
    this.#signal = signal;
    this.#inTeam = inTeamAs(`run-${run.id}`, team, deps);
  }

  /** Returns the result of the run, or `parked` if the run waits for a person. */
  async carryOut(): Promise<End | 'parked'> {
    for (;;) {
      this.#signal.throwIfAborted();
      const end = await this.#next();
      if (end) return end;
    }
  }

  /** Executes the open calls, or else sends the next request to the model. Returns the result of the run once it has one. */
  async #next(): Promise<End | 'parked' | undefined> {
    const { database, config } = this.#deps;
    const [team, run] = [this.#team, this.#run];
    const db = database.reader(team);
    const { rights, allowed, taken, steps, calls, all } = await pipelined({
      rights: () => rightsOf({ db, team }, run),
      allowed: () => allowedModels({ db, team }, config.model),
      taken: async () => this.#taken ?? db.first(queries.takenBy, { team, run: run.id }),
      steps: async () => this.#steps ?? db.all(queries.stepsOf, { team, run: run.id }),
      calls: () => db.all(queries.callsOf, { team, run: run.id, most: shownCharacters }),
      all: () => this.#deps.tools(),
    });
    if (taken === undefined) throw new Superseded();
    if (typeof rights === 'string') return { status: 'cancelled', reason: rights };
    if (!mayRun(rights.agent)) throw new Superseded();
    // Each request would send the erased content to the model again; earlier responses and calls of the model contain it too.
    if (await hasReadErased(db, team, calls, this.#disclosed)) return { status: 'cancelled', reason: contentErased };
    if (typeof allowed === 'string') return failed(allowed);
    const models = modelsFor(allowed, run, rights, config);
    if (typeof models === 'string') return failed(models);
    const [instructions] = steps;
    if (instructions === undefined) {
      await this.#inTeam((scope) => begin(scope, run, rights, { tools: all, config }));
      return undefined;
    }
    const skills = ('skills' in instructions.content && instructions.content.skills) || {};
    const ready = calls.filter(({ status }) => status === 'ready');
    await this.#carryOutCalls(ready, skills, all);
    if (ready.length > 0) return undefined;
    if (calls.some(({ status }) => status === 'awaiting_approval' || status === 'unknown'))
      return this.#inTeam((scope) => park(scope, run, Math.round(performance.now() - this.#begunAt), config.atOnce));
    const end = endAfter(steps, calls, rights.agent.max_steps);
    if (end) return end;
    const has = all.filter((tool) => hasTool(rights.agent, tool) && scopesOf(tool).every((scope) => rights.scopes.has(scope)));
    const remote = await remoteToolsOf({ db, team }, rights.agent);
    const tools = [...offered(has), ...offeredRemote(remote), ...(mayReadSkills(skills, rights.agent) ? [skillTool] : [])];
    const { agent } = rights;
    const requested = await this.#ask({
      number: steps.length,
      steps,
      calls,
      models,
      agent,
      tools,
      maxCostPerDay: allowed.maxCostPerDay,
      taken,
    });
    // The calls of this response are known, so they are not read again. Each call checks the current rights separately.
    const known = requested
      .filter(({ status }) => status === 'ready')
      .map((call) => ({ ...call, approval_round_id: null, request_hash: null, decided_by: null, sent_at: null }));
    await this.#carryOutCalls(known, skills, all);
    return undefined;
  }

  async #carryOutCalls(calls: readonly Call[], skills: PinnedSkills, tools: readonly Tool[]): Promise<void> {
    const [team, run, signal] = [this.#team, this.#run, this.#signal];
    for (const call of calls) {
      signal.throwIfAborted();
      try {
        if (queries.isRemote(call)) await carryOutRemote({ ...this.#deps, skills, signal }, team, run, call);
        else await carryOut({ ...this.#deps, skills }, tools, team, run, call);
      } catch (error) {
        if (error instanceof RightsChanged) return;
        throw error;
      }
    }
  }

  /** Asks the model and stores its response. Returns the calls that it requests. */
  async #ask({ number, steps, calls, models, agent, tools, maxCostPerDay, taken }: PromptParts): Promise<NewCall[]> {
    const { config, texts, clock } = this.#deps;
    const run = this.#run;
    const prompt = promptOf(run.message ?? '', steps, calls);
    const price = highestPriceOf(modelOf(config), models);
    const asks = { agent, prompt, tools, tokensADay: config.tokensADay, costADay: maxCostPerDay, price };
    /** The usage that was counted before the current attempt at this step. */
    let before = taken;
    let reserved = await this.#inTeam((scope) => reserve(scope, run, { ...asks, taken: before }));
    const again = async () => {
      before = { tokens: before.tokens + reserved.tokens, cost_reserved: before.cost_reserved + reserved.cost };
      reserved = await this.#inTeam((scope) => reserve(scope, run, { ...asks, taken: before }));
      return reserved;
    };
    const begunAt = clock();
    const { hear: onText, end: endText } = texts.begin(run.id, number);
    try {
      const question = { prompt, tools, maxOutputTokens: reserved.maxOutputTokens, signal: this.#signal, onText };
      const answer = await requestWithRetry(asking(this.#deps), models, question, { again }).finally(endText);
      const requested = callsIn(answer, new Set(tools.map(({ name }) => name)));
      const step = { number, answer, calls: requested, reserved, config: modelOf(config), begunAt };
      const written = await this.#inTeam((scope) => writeStep(scope, run, step));
      this.#steps = [...steps, written.row];
      this.#taken = written.taken;
      return requested;
    } catch (error) {
      // A request that was rejected before any response used nothing. After other failures the usage is unknown and stays counted.
      if (error instanceof ModelFailure && error.tookNothing) await this.#inTeam(async (scope) => releaseReservation(scope, run, reserved));
      throw error;
    }
  }
}

/** Returns the result of a run without open calls, or nothing if the model needs another request. */
function endAfter(steps: readonly queries.StepRow[], calls: readonly queries.CallRow[], maxSteps: number): End | undefined {
  const last = steps.at(-1);
  const done = last !== undefined && last.step > 0 && !calls.some(({ step }) => step === last.step);
  if (done) return last.finish === 'length' ? failed('answer_too_long') : { status: 'ok', reason: null };
  if (tooLarge(calls, steps)) return failed('run_too_large');
  return steps.length > maxSteps ? failed('steps_exhausted') : undefined;
}

/** Parks a run that waits for a person: it frees its slot, and its time limit is paused. Returns nothing if no request is open. */
async function park(scope: Scope, run: RunRow, workedMs: number, atOnce: number): Promise<'parked' | undefined> {
  const { db, team } = scope;
  const lockedRun = await db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts });
  if (!lockedRun) throw new Superseded();
  const waiting = await db.first(awaitingOf, { team, run: run.id });
  if (!waiting) return undefined;
  db.send(queries.parkRun, {
    team,
    run: run.id,
    worked: workedMs,
    status: waiting.is_unknown ? 'needs_attention' : 'awaiting_approval',
  });
  addRunEvent(scope, run.id, 'run.waiting', {});
  await claimRunSlots(db, [team], atOnce);
  return 'parked';
}

function asking({ ask }: LoopDependencies): AskModel {
  if (ask === undefined) throw new Error('a run needs a model, but none is configured');
  return ask;
}

function modelOf({ model }: RunConfig) {
  if (model === undefined) throw new Error('a run needs a model, but none is configured');
  return model;
}

/** Returns the models of a run, its preferred model first, or an error code. */
function modelsFor(allowed: Allowed, run: RunRow, { agent }: Rights, { model }: RunConfig): string[] | string {
  const [usual = ''] = allowed.models;
  const wanted = run.model ?? agent.model ?? usual;
  if (!allowed.models.includes(wanted)) return 'model_not_allowed';
  const candidates = [...new Set([wanted, ...agent.fallback_models.filter((name) => allowed.models.includes(name))])];
  if (!limitsCost(agent, allowed)) return candidates;
  // The cost of a model without a price cannot be limited.
  return model?.prices.has(wanted) ? candidates.filter((name) => model.prices.has(name)) : 'model_price_unknown';
}

/** Stores the current instructions as step 0. The run keeps them until its end, even if the agent changes. */
async function begin(
  scope: Scope,
  run: RunRow,
  { agent }: Rights,
  { tools, config: { model } }: { tools: readonly Tool[]; config: RunConfig },
): Promise<void> {
  const { db, team, now } = scope;
  const lockedRun = await db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts });
  if (!lockedRun) throw new Superseded();
  const content = JSON.stringify(instructionsFor(agent, await filesOf(scope, agent.id), await skillsOf(scope, agent, tools)));
  const nothing = { model: null, finish: null, input: null, output: null, cost: null, priceTable: null };
  db.send(queries.insertStep, { team, run: run.id, step: 0, content, ...nothing, begunAt: now, at: now });
  if (model?.protocol === 'simulated') db.send(queries.recordSimulated, { team, run: run.id });
}

/** Returns the remaining working time of a run in ms. The time of waiting for people does not count. */
async function leftMs({ database }: LoopDependencies, team: string, run: RunRow): Promise<number> {
  const db = database.reader(team);
  const rights = await rightsOf({ db, team }, run);
  const seconds = run.timeout_seconds ?? (typeof rights === 'string' ? undefined : rights.agent.timeout_seconds) ?? 600;
  return Math.max(1, seconds * 1_000 - run.worked_ms);
}
