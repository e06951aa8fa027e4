/**
 * Measures the time of an agent run without its model, and the start delay of 10 000 jobs due in one minute. Also compares reads and
 * writes of agent files with folders. The model is a server in this process that responds at once.
 */
import { membersFrom } from '../test/memberships.ts';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { measure } from './load.ts';
import { quantile } from './webhook-world.ts';
import { prepareWorld, unlimited, type World } from './world.ts';
import type { Result } from './result.ts';

const agents = '/ws/api/agents';
const [maxOverheadMs, maxLagMs] = [15, 10_000];
const calls = 9;

/** A model that calls a tool a given number of times and then ends. It measures its own response times. */
type Model = { server: Server; url: string; tookMs: () => number };

async function startModel(): Promise<Model> {
  let took = 0;
  const server = createServer(async (request, response) => {
    const from = performance.now();
    const { messages } = (await json(request)) as { messages: { role: string; content: unknown }[] };
    const answered = messages.filter(({ role }) => role === 'tool').length;
    const again = answered < calls && JSON.stringify(messages[1]).includes('folders');
    const chunk = (choice: object) =>
      `data: ${JSON.stringify({ id: 'c', model: 'm', created: 1, choices: [{ index: 0, ...choice }] })}\n\n`;
    const call = { index: 0, id: `call_${answered}`, type: 'function', function: { name: 'list_folders', arguments: '{}' } };
    const delta = again ? { tool_calls: [call] } : { content: 'Done.' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `${chunk({ delta })}${chunk({ delta: {}, finish_reason: again ? 'tool_calls' : 'stop' })}data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120}}\n\ndata: [DONE]\n\n`,
      () => (took += performance.now() - from),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, tookMs: () => took };
}

async function sent(world: World, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${world.oursUrl}${agents}${path}`, {
    method,
    headers: { authorization: `Bearer ${world.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Measures sequential runs: the time of a run without its model, divided by the number of model calls. */
async function overhead(world: World, model: Model, rounds: number): Promise<Result> {
  const each: number[] = [];
  for (let round = -2; round < 10 * rounds; round += 1) {
    const before = model.tookMs();
    const { runId } = await sent(world, 'POST', '/main/runs', { message: 'Look at the folders' });
    let run = await sent(world, 'GET', `/runs/${runId}`);
    for (; run.finishedAt === undefined; run = await sent(world, 'GET', `/runs/${runId}`)) await sleep(5);
    if (run.status !== 'ok' || run.steps !== calls + 1) throw new Error(`a run has ended otherwise: ${JSON.stringify(run)}`);
    if (round >= 0) each.push((run.durationMs - (model.tookMs() - before)) / run.steps);
  }
  const figures = { p50: quantile(each, 0.5), p90: quantile(each, 0.9) };
  const aim = `p50 ≤ ${maxOverheadMs}`;
  return { scenario: 'agents: a step of a run, beside its model (ms)', figures, aim, met: figures.p50 <= maxOverheadMs };
}

/** 100 teams with 100 jobs each, all due in one minute. Measures the delay of each run and the time until all runs end. */
async function scheduler(world: World): Promise<Result> {
  const { ours: pool } = world;
  const teams = Array.from({ length: 100 }, () => randomUUIDv7());
  const people = teams.map(() => randomUUIDv7());
  await pool.query("INSERT INTO team (team_id, name) SELECT t, 'Bench' FROM unnest($1::uuid[]) t", [teams]);
  await pool.query(
    membersFrom("SELECT t, u, u || '@example.org', 'B', 'B', 'owner', NULL FROM unnest($1::uuid[], $2::uuid[]) AS x(t, u)"),
    [teams, people],
  );
  await pool.query(
    'INSERT INTO agent_consent (team_id, origin, models, given_by, given_at) SELECT x.t, c.origin, c.models, x.u, now() FROM unnest($1::uuid[], $2::uuid[]) AS x(t, u), agent_consent c WHERE c.team_id = $3',
    [teams, people, world.team],
  );
  const from = Date.now() + 5_000;
  await pool.query(
    `INSERT INTO agent_job (team_id, id, agent_id, name, schedule, message, misfire_policy, misfire_grace_seconds, overlap, on_behalf_of, due_at, wake_at,
       created_by, created_at, updated_at)
     SELECT a.team_id, gen_random_uuid(), a.id, 'Job ' || n, jsonb_build_object('kind', 'every', 'everyMs', 86400000, 'anchor', d.at),
       'Say so', 'run_once', 3600, 'skip', x.u, d.at, d.at, x.u, now(), now()
     FROM unnest($1::uuid[], $2::uuid[]) AS x(t, u) JOIN agent a ON a.team_id = x.t AND a.is_default, generate_series(1, 100) n,
       LATERAL (SELECT to_timestamp($3 + n * 0.6) AS at) d`,
    [teams, people, from / 1_000],
  );
  await pool.query('ANALYZE agent_job');
  const state = async () =>
    (
      await pool.query<{ n: number; ended: number; lags: number[]; spread: number }>(
        `SELECT count(*)::int AS n, count(finished_at)::int AS ended,
           percentile_disc(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY extract(epoch FROM created_at - due_at) * 1000)::float8[] AS lags,
           (SELECT extract(epoch FROM max(f.at) - min(f.at)) * 1000 FROM (SELECT min(started_at) AS at FROM agent_run WHERE team_id = ANY ($1) GROUP BY team_id) f)::float8 AS spread
         FROM agent_run WHERE team_id = ANY ($1)`,
        [teams],
      )
    ).rows[0] ?? { n: 0, ended: 0, lags: [], spread: 0 };
  for (let now = await state(); now.ended < 10_000; now = await state()) {
    if (Date.now() > from + 600_000) throw new Error(`ten minutes later ${now.n} runs have begun and ${now.ended} have ended`);
    await sleep(1_000);
  }
  const {
    lags: [p50 = 0, p99 = 0, max = 0],
    spread,
  } = await state();
  const figures = { p50, p99, max, 'first of each team within': spread, 'all ended after s': (Date.now() - from) / 1_000 };
  return {
    scenario: 'agents: 10 000 jobs of 100 teams due in one minute, until begun (ms)',
    figures,
    aim: `≤ ${maxLagMs / 1_000} s`,
    met: max <= maxLagMs,
  };
}

/** Measures reads and writes of an agent file, compared with a folder, which is also one row. */
async function files(world: World, seconds: number, rounds: number): Promise<Result[]> {
  const content = 'We accept a term of up to three years.\n'.repeat(100);
  await sent(world, 'PUT', '/main/files/bench.md', { content });
  const { token, oursUrl } = world;
  let n = 0;
  const asks = {
    read: () => ({ method: 'GET' as const, path: `${agents}/main/files/bench.md`, token }),
    'read a folder': () => ({ method: 'GET' as const, path: `/api/v1/smartdoc/folders/${world.folders[(n += 1) % 1_000]}`, token }),
  };
  const writes = async () => {
    const times: number[] = [];
    for (let round = 0; round < 50 * rounds; round += 1) {
      const from = performance.now();
      await sent(world, 'PUT', `/main/files/bench-${round % 10}.md`, { content: `${content}${round}` });
      times.push(performance.now() - from);
    }
    return times;
  };
  await measure(oursUrl, asks.read, 1);
  const runs: { perSecond: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const floor = await measure(oursUrl, asks['read a folder'], seconds);
    const { perSecond } = await measure(oursUrl, asks.read, seconds);
    runs.push({ perSecond, ratio: perSecond / floor.perSecond });
  }
  const of = (name: 'perSecond' | 'ratio') =>
    quantile(
      runs.map((run) => run[name]),
      0.5,
    );
  const wrote = await writes();
  const p50 = quantile(wrote, 0.5);
  return [
    {
      scenario: 'agents: a file of 4 KiB is read',
      figures: { perSecond: of('perSecond'), 'of a folder': of('ratio') },
      aim: '≥ 0.5 of a folder',
      met: of('ratio') >= 0.5,
    },
    {
      scenario: 'agents: a file of 4 KiB is written, one after the other (ms)',
      figures: { p50, p99: quantile(wrote, 0.99) },
      aim: 'p50 ≤ 15',
      met: p50 <= 15,
    },
  ];
}

export async function benchAgents(
  { seconds, rounds, only }: { seconds: number; rounds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'agents'.includes(part))) return;
  const model = await startModel();
  const world = await prepareWorld({
    ...unlimited,
    AGENT_MODEL_URL: model.url,
    AGENT_MODELS: 'm',
    TEAM_AGENT_TOKENS_A_DAY: '2000000000',
  });
  try {
    await sent(world, 'PUT', '/settings', { enabled: true });
    await world.ours.query('UPDATE agent SET max_tokens_per_day = 2000000000');
    show(await overhead(world, model, rounds));
    for (const result of await files(world, seconds, rounds)) show(result);
    show(await scheduler(world));
  } finally {
    await world.stop();
    model.server.closeAllConnections();
    model.server.close();
  }
}
