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
import { tell } from '../stream/index.ts';
import * as queries from './queries.ts';
import { keptResult, masked, readArguments } from './results.ts';

/** Tokens of one answer at most, and how few are worth asking for. */
const maxOutput = 8_192;
const leastOutput = 256;
/** A token is at least so many bytes of what is sent, nearly always. */
const bytesOfToken = 3;
/** What is kept of all that was said in one run. */
const maxKept = 8 * 1024 * 1024;

export type Reserved = { tokens: number; cost: number; maxOutputTokens: number; day: string };

/** The tools of a run as the model is offered them. */
export const offered = (tools: readonly Tool[]): OfferedTool[] =>
  tools.map(({ name, description, input }) => ({ type: 'function', name, description, inputSchema: input as OfferedTool['inputSchema'] }));

/** A limit of the run or of the day is reached. */
export class BudgetExhausted extends Error {
  /** The day’s is used up, and the run has taken nothing of it. */
  readonly beforeAnything: boolean;
  constructor(beforeAnything = false) {
    super('budget_exhausted');
    this.beforeAnything = beforeAnything;
  }
}

/** What a run has taken, with what it is about to take. */
export type Taken = { tokens: number; cost_held: number };

type Asked = {
  agent: AgentRow;
  /** What the run has taken so far. */
  taken: Taken;
  prompt: Prompt;
  tools: readonly OfferedTool[];
  tokensADay: number;
  /** What all runs of the team may cost on one day, where that is limited. */
  costADay: number | null;
  /** What the dearest of the models that may answer costs. */
  price: Price | undefined;
};

/**
 * Counts what the next answer may take, and cost, against the limits of the run and of the day, before it is asked for: what is not known in the
 * end stays counted. Rejects with {@link BudgetExhausted} where a limit is reached, and nothing is to stay counted.
 */
export async function reserve(
  scope: Scope,
  run: RunRow,
  { agent, taken, prompt, tools, tokensADay, costADay, price }: Asked,
): Promise<Reserved> {
  const { db, team, now } = scope;
  const sent = Math.ceil(Buffer.byteLength(JSON.stringify([prompt, tools])) / bytesOfToken);
  const affordable = outputFor(price, sent, agent.max_cost_per_run === null ? null : agent.max_cost_per_run - taken.cost_held);
  const maxOutputTokens = Math.min(maxOutput, agent.max_tokens_per_run - taken.tokens - sent, affordable);
  const amount = sent + maxOutputTokens;
  const cost = price === undefined ? 0 : costAt(price, { input: sent, output: maxOutputTokens });
  const { max_cost_per_run: costOfRun, max_cost_per_day: costOfAgent } = agent;
  if (maxOutputTokens < leastOutput) throw new BudgetExhausted();
  if (amount > Math.min(agent.max_tokens_per_day, tokensADay) || cost > Math.min(costOfAgent ?? Infinity, costADay ?? Infinity))
    throw new BudgetExhausted();
  const day = now.toISOString().slice(0, 10);
  const limits = {
    ofRun: agent.max_tokens_per_run,
    ofAgent: agent.max_tokens_per_day,
    ofTeam: tokensADay,
    cost,
    costOfRun,
    costOfAgent,
    costOfTeam: costADay,
  };
  const { held, counted } = await pipelined({
    held: () => db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts }),
    counted: () => db.first(queries.reserve, { team, run: run.id, agent: agent.id, all: smallestId, day, amount, ...limits }),
  });
  if (!held) throw new Superseded();
  if (!counted) throw new BudgetExhausted(held.tokens === 0);
  return { tokens: amount, cost, maxOutputTokens, day };
}

/** Puts a day’s counts right once it is known what was taken. */
function settle(scope: Scope, run: RunRow, { tokens, cost, day }: Reserved, used: { input: number; output: number; cost: number }): void {
  for (const agent of [run.agent_id, smallestId])
    scope.db.send(queries.settleDay, {
      team: scope.team,
      agent,
      day,
      tokens: used.input + used.output - tokens,
      held: used.cost - cost,
      ...used,
    });
}

/** Takes back what was counted for an answer that has taken nothing. Whoever has the run in hand by now goes on with their own count of steps. */
export function giveBack(scope: Scope, run: RunRow, reserved: Reserved): void {
  const { tokens, cost } = reserved;
  scope.db.send(queries.giveBack, { team: scope.team, run: run.id, tokens, cost });
  settle(scope, run, reserved, { input: 0, output: 0, cost: 0 });
}

/** What an answer has cost in millionths, where the model has a price. */
export function costOf({ prices }: ModelConfig, model: string, used: { input: number; output: number }): number | null {
  const price = prices.get(model);
  return price === undefined ? null : costAt(price, used);
}

const costAt = (price: Price, { input, output }: { input: number; output: number }): number =>
  Math.ceil((price.input * input + price.output * output) / 1e6);

/** The most that one of these models may cost: which of them answers is known afterwards. Nothing where none has a price. */
export function dearestOf({ prices }: ModelConfig, models: readonly string[]): Price | undefined {
  const all = models.flatMap((model) => prices.get(model) ?? []);
  if (all.length === 0) return undefined;
  return { input: Math.max(...all.map(({ input }) => input)), output: Math.max(...all.map(({ output }) => output)) };
}

/** How many tokens of an answer so much pays for, once what is sent is paid. */
function outputFor(price: Price | undefined, sent: number, money: number | null): number {
  if (price === undefined || money === null) return Infinity;
  const left = money - costAt(price, { input: sent, output: 0 });
  return price.output === 0 && left >= 0 ? Infinity : Math.floor((left * 1e6) / price.output);
}

export type NewCall = { id: string; tool: string; arguments: Record<string, unknown>; status: queries.CallStatus; result?: string };

/** The calls that an answer asks for, each with an identifier of ours. What cannot be read is over as it is written, and says so. */
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

/** Writes an answer of the model as the next step of its run, with the calls that it asks for, in one transaction. */
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
  const held = await db.first(queries.holdRun, { team, run: run.id, attempt: run.attempts });
  if (!held) throw new Superseded();
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
  tell(scope, run.id, 'step.finished', {
    step: number,
    model: answer.model,
    calls: calls.map(({ id: callId, tool }) => ({ callId, tool })),
  });
  const used = { input: input ?? 0, output: output ?? 0 };
  const tokens = usage === undefined ? 0 : used.input + used.output - reserved.tokens;
  const more = usage === undefined ? 0 : (cost ?? 0) - reserved.cost;
  const summary = calls.length === 0 ? content.text : null;
  db.send(queries.countStep, { team, run: run.id, step: number, tokens, held: more, ...used, cost, priceTable, summary });
  if (usage !== undefined) settle(scope, run, reserved, { ...used, cost: cost ?? 0 });
  return { row, taken: { tokens: held.tokens + tokens, cost_held: held.cost_held + more } };
}

/** Whether a run has said so much that no more of it is kept. */
export const tooLarge = (calls: readonly queries.CallRow[], steps: readonly queries.StepRow[]): boolean =>
  calls.reduce((sum, { total, arguments: given }) => sum + (total ?? 0) + JSON.stringify(given).length, 0) +
    steps.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0) >
  maxKept;
