import { filesOf, hasTool, mayRun, remoteToolsOf, type Servers, skillsOf } from '#agents';
import type { AskTools } from '#agents';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import type { Scope } from '../../../platform/scope.ts';
import { scopesOf, type Tool } from '../../../platform/tools.ts';
import type { RunConfig } from '../config.ts';
import { type Allowed, allowedModels } from '../consent/index.ts';
import type { End, Work } from '../execution.ts';
import { type AskModel, askPatiently, ModelFailure } from '../model/index.ts';
import { limitsCost } from '../policy.ts';
import type { RunRow } from '../run-queries.ts';
import { awaitingOf } from '../approvals/index.ts';
import { takePlaces } from '../run-job.ts';
import { tell, type Texts } from '../stream/index.ts';
import { type Call, carryOut, RightsEnded, Superseded } from './call.ts';
import { instructionsFor, promptOf } from './prompt.ts';
import { contentErased } from '../policy.ts';
import * as queries from './queries.ts';
import { shownCharacters } from './results.ts';
import { nothingTold, type Told, wasToldErased } from './disclosed-content.ts';
import { carryOutRemote, offeredRemote } from './remote.ts';
import { type Rights, RightsChanged, rightsOf } from './permissions.ts';
import { mayReadSkills, skillTool } from './skills.ts';
import { BudgetExhausted, callsIn, dearestOf, giveBack, type NewCall, offered, reserve, type Taken, tooLarge, writeStep } from './step.ts';

export type LoopDeps = {
  database: Database;
  listeners: readonly EventListener[];
  clock: () => Date;
  /** Seals where the pages end that agents are told. */
  places: Box;
  tools: AskTools;
  servers: Servers;
  config: RunConfig;
  /** Nothing where no model is set up. */
  ask: AskModel | undefined;
  texts: Pick<Texts, 'begin'>;
};

const failed = (reason: string): End => ({ status: 'error', reason });

/**
 * What a run does: it asks the model, carries out what that asks for, and asks it again with what came of it, until the model asks for
 * nothing more. Each answer and each call is written before anything follows from it, so that another node goes on where this one died.
 */
export function createLoop(deps: LoopDeps): Work {
  const { database, listeners, clock } = deps;
  const inTeam = <T>(team: string, run: RunRow, act: (scope: Scope) => Promise<T>): Promise<T> =>
    database.inTeam(team, (db) => act({ db, team, actor: { type: 'system' }, now: clock(), requestId: `run-${run.id}`, listeners }));

  return async (team, run, signal) => {
    const late = AbortSignal.timeout(await leftMs(deps, team, run));
    const either = AbortSignal.any([signal, late]);
    const since = performance.now();
    const worked = () => Math.round(performance.now() - since);
    const known = { told: nothingTold() };
    try {
      for (;;) {
        either.throwIfAborted();
        const end = await turn(deps, { team, run, signal: either, known, worked, inTeam: (act) => inTeam(team, run, act) });
        if (end) return end === 'parked' ? undefined : end;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return failed('run_timeout');
      if (error instanceof ModelFailure) return failed(error.code);
      if (error instanceof BudgetExhausted) {
        // Nobody has asked for it, and nothing was begun.
        const skipped = error.beforeAnything && (run.trigger === 'schedule' || run.trigger === 'misfire');
        return skipped ? { status: 'skipped', reason: 'budget_exhausted' } : failed('budget_exhausted');
      }
      if (error instanceof RightsEnded) return { status: 'cancelled', reason: error.reason };
      // Whoever has it in hand now, or ends it, goes on.
      if (error instanceof Superseded) return untilAborted(signal);
      throw error;
    }
  };
}

type Turn = {
  team: string;
  run: RunRow;
  signal: AbortSignal;
  /** What this attempt has read, and written since: nobody else writes it. */
  known: { steps?: readonly queries.StepRow[]; taken?: Taken; told: Told };
  /** How long this attempt has worked, in milliseconds. */
  worked: () => number;
  inTeam: <T>(act: (scope: Scope) => Promise<T>) => Promise<T>;
};

/** What is to be done next in a run: its calls that are not over, or else the next question. How it has ended, when it has. */
async function turn(deps: LoopDeps, { team, run, signal, known, inTeam, worked }: Turn): Promise<End | 'parked' | undefined> {
  const { database, config, clock } = deps;
  const db = database.reader(team);
  const { rights, allowed, taken, steps, calls, all } = await pipelined({
    rights: () => rightsOf({ db, team }, run),
    allowed: () => allowedModels({ db, team }, config.model),
    taken: async () => known.taken ?? db.first(queries.takenBy, { team, run: run.id }),
    steps: async () => known.steps ?? db.all(queries.stepsOf, { team, run: run.id }),
    calls: () => db.all(queries.callsOf, { team, run: run.id, most: shownCharacters }),
    all: () => deps.tools(),
  });
  if (taken === undefined) throw new Superseded();
  if (typeof rights === 'string') return { status: 'cancelled', reason: rights };
  if (!mayRun(rights.agent)) throw new Superseded();
  // It would be told to the model once more with each question, and is in what the model has said and asked for.
  if (await wasToldErased(db, team, calls, known.told)) return { status: 'cancelled', reason: contentErased };
  if (typeof allowed === 'string') return failed(allowed);
  const models = modelsFor(allowed, run, rights, config);
  if (typeof models === 'string') return failed(models);
  const [told] = steps;
  if (told === undefined) {
    await inTeam((scope) => begin(scope, run, rights, { tools: all, config }));
    return undefined;
  }
  const skills = ('skills' in told.content && told.content.skills) || {};
  const carryOutAll = async (these: readonly Call[]): Promise<void> => {
    for (const call of these) {
      signal.throwIfAborted();
      try {
        if (queries.isRemote(call)) await carryOutRemote({ ...deps, skills, signal }, team, run, call);
        else await carryOut({ ...deps, skills }, all, team, run, call);
      } catch (error) {
        if (error instanceof RightsChanged) return;
        throw error;
      }
    }
  };
  const waiting = calls.filter(({ status }) => status === 'ready');
  await carryOutAll(waiting);
  if (waiting.length > 0) return undefined;
  if (calls.some(({ status }) => status === 'awaiting_approval' || status === 'unknown'))
    return inTeam((scope) => park(scope, run, worked(), config.atOnce));
  const last = steps.at(-1);
  const done = last !== undefined && last.step > 0 && !calls.some(({ step }) => step === last.step);
  if (done) return last.finish === 'length' ? failed('answer_too_long') : { status: 'ok', reason: null };
  if (tooLarge(calls, steps)) return failed('run_too_large');
  const number = steps.length;
  if (number > rights.agent.max_steps) return failed('steps_exhausted');
  const has = all.filter((tool) => hasTool(rights.agent, tool) && scopesOf(tool).every((scope) => rights.scopes.has(scope)));
  const prompt = promptOf(run.message ?? '', steps, calls);
  const remote = await remoteToolsOf({ db, team }, rights.agent);
  const tools = [...offered(has), ...offeredRemote(remote), ...(mayReadSkills(skills, rights.agent) ? [skillTool] : [])];
  const price = dearestOf(modelOf(config), models);
  const asks = { agent: rights.agent, prompt, tools, tokensADay: config.tokensADay, costADay: allowed.maxCostPerDay, price };
  /** What all tries of this step may have taken that were counted before. */
  let before = taken;
  let reserved = await inTeam((scope) => reserve(scope, run, { ...asks, taken: before }));
  const again = async () => {
    before = { tokens: before.tokens + reserved.tokens, cost_held: before.cost_held + reserved.cost };
    reserved = await inTeam((scope) => reserve(scope, run, { ...asks, taken: before }));
    return reserved;
  };
  const begunAt = clock();
  const { hear: onText, end: heard } = deps.texts.begin(run.id, number);
  let asked: NewCall[];
  try {
    const question = { prompt, tools, maxOutputTokens: reserved.maxOutputTokens, signal, onText };
    const answer = await askPatiently(asking(deps), models, question, { again }).finally(heard);
    asked = callsIn(answer, new Set(tools.map(({ name }) => name)));
    const written = await inTeam((scope) =>
      writeStep(scope, run, { number, answer, calls: asked, reserved, config: modelOf(config), begunAt }),
    );
    known.steps = [...steps, written.row];
    known.taken = written.taken;
  } catch (error) {
    // What was refused before anything was answered has taken nothing. Of all else nobody knows, and it stays counted.
    if (error instanceof ModelFailure && error.tookNothing) await inTeam(async (scope) => giveBack(scope, run, reserved));
    throw error;
  }
  // What it asks for is known: it is not read again. Each call looks by itself at what the run may do then.
  await carryOutAll(
    asked.flatMap((call) => (call.status === 'ready' ? [{ ...call, asked_hash: null, decided_by: null, sent_at: null }] : [])),
  );
  return undefined;
}

/** Lets a run wait for whoever was asked: it has no place meanwhile, and its time stands still. Nothing where they have answered. */
async function park(scope: Scope, run: RunRow, workedMs: number, atOnce: number): Promise<'parked' | undefined> {
  const { db, team } = scope;
  const held = await db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts });
  if (!held) throw new Superseded();
  const asked = await db.first(awaitingOf, { team, run: run.id });
  if (!asked) return undefined;
  db.send(queries.parkRun, {
    team,
    run: run.id,
    worked: workedMs,
    status: asked.is_unknown ? 'needs_attention' : 'awaiting_approval',
  });
  tell(scope, run.id, 'run.waiting', {});
  await takePlaces(db, [team], atOnce);
  return 'parked';
}

function asking({ ask }: LoopDeps): AskModel {
  if (ask === undefined) throw new Error('a run asks a model, and none is set up');
  return ask;
}

function modelOf({ model }: RunConfig) {
  if (model === undefined) throw new Error('a run asks a model, and none is set up');
  return model;
}

/** The models that a run asks, the one it is meant for first; or by a code why there is none. */
function modelsFor(allowed: Allowed, run: RunRow, { agent }: Rights, { model }: RunConfig): string[] | string {
  const [usual = ''] = allowed.models;
  const wanted = run.model ?? agent.model ?? usual;
  if (!allowed.models.includes(wanted)) return 'model_not_allowed';
  const asked = [...new Set([wanted, ...agent.fallback_models.filter((name) => allowed.models.includes(name))])];
  if (!limitsCost(agent, allowed)) return asked;
  // What has no price cannot be counted.
  return model?.prices.has(wanted) ? asked.filter((name) => model.prices.has(name)) : 'model_price_unknown';
}

/** Writes what the model is told before anything else, as it is now: a run goes on as it was begun. */
async function begin(
  scope: Scope,
  run: RunRow,
  { agent }: Rights,
  { tools, config: { model } }: { tools: readonly Tool[]; config: RunConfig },
): Promise<void> {
  const { db, team, now } = scope;
  const held = await db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts });
  if (!held) throw new Superseded();
  const content = JSON.stringify(instructionsFor(agent, await filesOf(scope, agent.id), await skillsOf(scope, agent, tools)));
  const nothing = { model: null, finish: null, input: null, output: null, cost: null, priceTable: null };
  db.send(queries.insertStep, { team, run: run.id, step: 0, content, ...nothing, begunAt: now, at: now });
  if (model?.protocol === 'simulated') db.send(queries.noteSimulated, { team, run: run.id });
}

/** How long a run may still work; what it has waited for people does not count. */
async function leftMs({ database }: LoopDeps, team: string, run: RunRow): Promise<number> {
  const db = database.reader(team);
  const rights = await rightsOf({ db, team }, run);
  const seconds = run.timeout_seconds ?? (typeof rights === 'string' ? undefined : rights.agent.timeout_seconds) ?? 600;
  return Math.max(1, seconds * 1_000 - run.worked_ms);
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
