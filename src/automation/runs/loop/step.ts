import { randomUUIDv7 } from 'node:crypto';
import type { AgentRow } from '#agents';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { smallestId } from '../../../platform/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { storableText } from '../../../platform/text.ts';
import type { Tool } from '../../../platform/tools.ts';
import type { ModelConfig, Price } from '../config.ts';
import type { Answer, OfferedTool, Prompt } from '../model/index.ts';
import type { RunRow } from '../run-queries.ts';
import { Superseded, refusal } from './call.ts';
import { addRunEvent } from '../stream/index.ts';
import * as queries from './queries.ts';
import { keptResult, masked, readArguments } from './results.ts';

/** The maximum output tokens of one response, and the minimum that is worth a request. */
const maxOutput = 8_192;
const leastOutput = 256;
/** A lower estimate of the bytes of one token in a request. */
const bytesOfToken = 3;
/** The maximum characters stored for one run. */
const maxKept = 8 * 1024 * 1024;

export type Reserved = { tokens: number; cost: number; maxOutputTokens: number; day: string };

/** The tools of a run in the format of a model request. */
export const offered = (tools: readonly Tool[]): OfferedTool[] =>
  tools.map(({ name, description, input }) => ({ type: 'function', name, description, inputSchema: input as OfferedTool['inputSchema'] }));

/** Thrown if a limit of the run or of the day is reached. */
export class BudgetExhausted extends Error {
  /** Whether the daily limit was reached before the run used any tokens. */
  readonly beforeAnything: boolean;
  constructor(beforeAnything = false) {
    super('budget_exhausted');
    this.beforeAnything = beforeAnything;
  }
}

/** The usage of a run, including the reserved part. */
export type Taken = { tokens: number; cost_reserved: number };

type ReservationRequest = {
  agent: AgentRow;
  /** The usage of the run so far. */
  taken: Taken;
  prompt: Prompt;
  tools: readonly OfferedTool[];
  tokensADay: number;
  /** The daily cost limit of the team in millionths; null without a limit. */
  costADay: number | null;
  /** The highest price of the models that may respond. */
  price: Price | undefined;
};

/**
 * Reserves the tokens and cost of the next response within the limits of the run and of the day. Reserved usage stays counted if the real usage
 * remains unknown. Throws {@link BudgetExhausted} if a limit is reached; the caller must then roll back.
 */
export async function reserve(
  scope: Scope,
  run: RunRow,
  { agent, taken, prompt, tools, tokensADay, costADay, price }: ReservationRequest,
): Promise<Reserved> {
  const { db, team, now } = scope;
  const sent = Math.ceil(Buffer.byteLength(JSON.stringify([prompt, tools])) / bytesOfToken);
  const affordable = outputFor(price, sent, agent.max_cost_per_run === null ? null : agent.max_cost_per_run - taken.cost_reserved);
  const maxOutputTokens = Math.min(maxOutput, agent.max_tokens_per_run - taken.tokens - sent, affordable);
  const amount = sent + maxOutputTokens;
  const cost = price === undefined ? 0 : costAt(price, { input: sent, output: maxOutputTokens });
  const { max_cost_per_run: costOfRun, max_cost_per_day: costOfAgent } = agent;
  if (maxOutputTokens < leastOutput) throw new BudgetExhausted();
  if (amount > Math.min(agent.max_tokens_per_day, tokensADay) || cost > Math.min(costOfAgent ?? Infinity, costADay ?? Infinity))
    throw new BudgetExhausted();
  const day = now.toISOString().slice(0, 10);
  const limits = {
    maxPerRun: agent.max_tokens_per_run,
    maxPerAgent: agent.max_tokens_per_day,
    maxPerTeam: tokensADay,
    cost,
    costOfRun,
    costOfAgent,
    costOfTeam: costADay,
  };
  const { lockedRun, counted } = await pipelined({
    lockedRun: () => db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts }),
    counted: () => db.first(queries.reserve, { team, run: run.id, agent: agent.id, all: smallestId, day, amount, ...limits }),
  });
  if (!lockedRun) throw new Superseded();
  if (!counted) throw new BudgetExhausted(lockedRun.tokens === 0);
  return { tokens: amount, cost, maxOutputTokens, day };
}

/** Corrects the counts of a day when the usage is known. */
function settle(scope: Scope, run: RunRow, { tokens, cost, day }: Reserved, used: { input: number; output: number; cost: number }): void {
  for (const agent of [run.agent_id, smallestId])
    scope.db.send(queries.correctUsageOfDay, {
      team: scope.team,
      agent,
      day,
      tokens: used.input + used.output - tokens,
      costDifference: used.cost - cost,
      ...used,
    });
}

/** Releases the reservation of a response that used no tokens. Does not change the step count, because another attempt may have increased it. */
export function releaseReservation(scope: Scope, run: RunRow, reserved: Reserved): void {
  const { tokens, cost } = reserved;
  scope.db.send(queries.releaseReservation, { team: scope.team, run: run.id, tokens, cost });
  settle(scope, run, reserved, { input: 0, output: 0, cost: 0 });
}

/** The cost of a response in millionths; null if the model has no price. */
export function costOf({ prices }: ModelConfig, model: string, used: { input: number; output: number }): number | null {
  const price = prices.get(model);
  return price === undefined ? null : costAt(price, used);
}

const costAt = (price: Price, { input, output }: { input: number; output: number }): number =>
  Math.ceil((price.input * input + price.output * output) / 1e6);

/** The highest price of these models, since the model that responds is known only afterwards. Undefined if none has a price. */
export function highestPriceOf({ prices }: ModelConfig, models: readonly string[]): Price | undefined {
  const all = models.flatMap((model) => prices.get(model) ?? []);
  if (all.length === 0) return undefined;
  return { input: Math.max(...all.map(({ input }) => input)), output: Math.max(...all.map(({ output }) => output)) };
}

/** The maximum output tokens for an amount of money, after the cost of the input. */
function outputFor(price: Price | undefined, sent: number, money: number | null): number {
  if (price === undefined || money === null) return Infinity;
  const left = money - costAt(price, { input: sent, output: 0 });
  return price.output === 0 && left >= 0 ? Infinity : Math.floor((left * 1e6) / price.output);
}

export type NewCall = { id: string; tool: string; arguments: Record<string, unknown>; status: queries.CallStatus; result?: string };

/** Returns the calls of a response with new identifiers. An invalid call is rejected immediately, with the reason as its result. */
export function callsIn({ calls }: Answer, known: ReadonlySet<string>): NewCall[] {
  return calls.map(({ tool: given, input }) => {
    const tool = given.slice(0, 64).replaceAll(/[^\w-]/g, '_') || 'nameless';
    const read = readArguments(input);
    const base = { id: randomUUIDv7(), tool, arguments: read ?? {} };
    const over = (code: string, detail: string): NewCall => ({
      ...base,
      status: 'refused',
      result: keptResult(refusal(code, detail).value).result,
    });
    if (!known.has(given)) return over('unknown_tool', 'There is no tool of this name.');
    if (read === undefined) return over('arguments_unreadable', 'The arguments must be one JSON object of at most 256 KiB.');
    return { ...base, status: 'ready' };
  });
}

/** Stores a response of the model as the next step of its run, with the requested calls, in one transaction. */
export async function writeStep(
  scope: Scope,
  run: RunRow,
  step: {
    number: number;
    answer: Answer & { model: string };
    calls: readonly NewCall[];
    reserved: Reserved;
    config: ModelConfig;
    begunAt: Date;
  },
): Promise<{ row: queries.StepRow; taken: Taken }> {
  const { db, team, now: at } = scope;
  const { number, answer, calls, reserved, begunAt } = step;
  const lockedRun = await db.first(queries.lockAttempt, { team, run: run.id, attempt: run.attempts });
  if (!lockedRun) throw new Superseded();
  const { usage } = answer;
  const cost = usage === undefined ? null : costOf(step.config, answer.model, usage);
  const priceTable = cost === null ? null : step.config.priceTable;
  const content = { text: storableText(masked(answer.text)) };
  const { input = null, output = null } = usage ?? {};
  const row = {
    step: number,
    model: answer.model,
    content,
    finish: answer.finish,
    input_tokens: input,
    output_tokens: output,
    created_at: at.toISOString(),
  };
  db.send(queries.insertStep, {
    team,
    run: run.id,
    ...row,
    content: JSON.stringify(content),
    input,
    output,
    cost,
    priceTable,
    begunAt,
    at,
  });
  if (calls.length > 0) {
    const written = calls.map(({ result = null, ...call }, position) => ({ ...call, result, position }));
    db.send(queries.insertCalls, { team, run: run.id, step: number, calls: JSON.stringify(written), at });
  }
  addRunEvent(scope, run.id, 'step.finished', {
    step: number,
    model: answer.model,
    calls: calls.map(({ id: callId, tool }) => ({ callId, tool })),
  });
  const used = { input: input ?? 0, output: output ?? 0 };
  const tokens = usage === undefined ? 0 : used.input + used.output - reserved.tokens;
  const costDifference = usage === undefined ? 0 : (cost ?? 0) - reserved.cost;
  const summary = calls.length === 0 ? content.text : null;
  db.send(queries.countStep, { team, run: run.id, step: number, tokens, costDifference, ...used, cost, priceTable, summary });
  if (usage !== undefined) settle(scope, run, reserved, { ...used, cost: cost ?? 0 });
  return { row, taken: { tokens: lockedRun.tokens + tokens, cost_reserved: lockedRun.cost_reserved + costDifference } };
}

/** Whether the content of a run exceeds the stored maximum. */
export const tooLarge = (calls: readonly queries.CallRow[], steps: readonly queries.StepRow[]): boolean =>
  calls.reduce((sum, { total, arguments: given }) => sum + (total ?? 0) + JSON.stringify(given).length, 0) +
    steps.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0) >
  maxKept;
