import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backlogAtStart, besideInterim, besideSilence } from './webhook-attacks.ts';
import {
  arrived,
  cpuSeconds,
  enqueue,
  feed,
  prepareWebhooks,
  quantile,
  queueIsEmpty,
  residentMiB,
  type WebhookResult,
  type World,
} from './webhook-world.ts';

/** Measures the sustained rate over persistent connections to 50 endpoints of five teams. */
async function throughput(world: World, tls: boolean, aim: number, count: number): Promise<WebhookResult> {
  const receivers = await world.receivers(50, tls);
  const endpoints = await world.endpoints(
    receivers.ports.map((port) => `${tls ? 'https' : 'http'}://127.0.0.1:${port}/good`),
    10,
  );
  const rates: number[] = [];
  let cost = 0;
  const { child, stop } = world.worker();
  // The first round opens connections and prepares statements.
  for (let round = 0; round < 4; round += 1) {
    await world.empty();
    await receivers.reset();
    const before = cpuSeconds(child.pid);
    await enqueue(world.pool, endpoints, round === 0 ? 5_000 : count);
    const { good, first, last } = await arrived(receivers, round === 0 ? 5_000 : count);
    await queueIsEmpty(world);
    if (round === 0) continue;
    rates.push(good / ((last - first) / 1_000));
    cost = ((cpuSeconds(child.pid) - before) / good) * 1e6;
  }
  await stop();
  receivers.stop();
  const perSecond = quantile(rates, 0.5);
  return {
    scenario: `webhooks: deliveries over ${tls ? 'TLS' : 'HTTP'}, 1 KiB, 50 endpoints`,
    figures: { perSecond, lowest: Math.min(...rates), highest: Math.max(...rates), workerCpuMicroseconds: cost },
    aim: `≥ ${aim}/s`,
    met: perSecond >= aim,
  };
}

async function latency(world: World, seconds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(50);
  const endpoints = await world.endpoints(
    receivers.ports.map((port) => `http://127.0.0.1:${port}/good`),
    10,
  );
  await world.empty();
  const { stop } = world.worker();
  await feed(world, endpoints, 100, 3);
  await queueIsEmpty(world);
  await receivers.reset();
  const sent = await feed(world, endpoints, 200, seconds);
  const { delays } = await arrived(receivers, sent);
  await stop();
  receivers.stop();
  const figures = { p50: quantile(delays, 0.5), p99: quantile(delays, 0.99), sent };
  return {
    scenario: 'webhooks: event to receiver at 200/s (ms)',
    figures,
    aim: 'p50 ≤ 10, p99 ≤ 50',
    met: figures.p50 <= 10 && figures.p99 <= 50,
  };
}

/**
 * Measures the effect of 100 hanging and 100 failing endpoints on 800 others. Rounds alternate, so that other load on the machine affects
 * both sides. Returns medians.
 */
async function isolation(world: World, seconds: number, rounds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(20);
  const url = (kind: string, index: number) => `http://127.0.0.1:${receivers.ports[index % receivers.ports.length]}/${kind}/${index}`;
  const good = await world.endpoints(
    Array.from({ length: 800 }, (_, index) => url('good', index)),
    10,
  );
  // Separate receivers, because all endpoints of one origin share its connections.
  const others = await world.receivers(20);
  const otherUrl = (kind: string, index: number) => `http://127.0.0.1:${others.ports[index % others.ports.length]}/${kind}/${index}`;
  const bad = await world.endpoints(
    Array.from({ length: 200 }, (_, index) => otherUrl(index % 2 === 0 ? 'hang' : '500', index)),
    10,
  );
  const run = async (withBad: boolean): Promise<number[]> => {
    await world.empty();
    const { stop } = world.worker();
    await feed(world, good, 100, 3);
    if (withBad) await enqueue(world.pool, bad, 4_000);
    await receivers.reset();
    const sent = await feed(
      world,
      withBad ? good.flatMap((one, index) => (index % 4 === 0 ? [one, bad[index / 4] ?? one] : [one])) : good,
      200,
      seconds,
    );
    const goodOnes = withBad ? Math.floor((sent * 800) / 1_000) - 10 : sent;
    const { delays } = await arrived(receivers, goodOnes, 60_000);
    await stop();
    return delays;
  };
  const alone: number[][] = [];
  const beside: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await run(false));
    beside.push(await run(true));
  }
  receivers.stop();
  others.stop();
  const median = (runs: readonly number[][], part: number) =>
    quantile(
      runs.map((delays) => quantile(delays, part)),
      0.5,
    );
  const figures = {
    p50Alone: median(alone, 0.5),
    p99Alone: median(alone, 0.99),
    p50Beside: median(beside, 0.5),
    p99Beside: median(beside, 0.99),
    highestP99Beside: Math.max(...beside.map((delays) => quantile(delays, 0.99))),
  };
  return {
    scenario: 'webhooks: good ones beside 100 that hang and 100 that fail (ms)',
    figures,
    aim: 'p99 ≤ 2 × alone',
    met: figures.p99Beside <= 2 * figures.p99Alone,
  };
}

/** Measures journal entries to one endpoint, from their commit through the integration into the tree to the receiver. */
async function journal(world: World, perSecond: number, seconds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(1);
  const [endpoint] = await world.endpoints([`http://127.0.0.1:${receivers.ports[0]}/good`], 1, 'audit.*');
  const insert = (count: number) =>
    world.pool.query({
      name: 'bench-entries',
      text: `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, ip, request_id, data)
        SELECT $1, uuidv7_like($2::uuid), 'folder.created', 'user', gen_random_uuid(), 'folder', gen_random_uuid(), now(), '192.0.2.1', gen_random_uuid(), '{"name": "Contracts 2026"}' FROM generate_series(1, $3::int)`,
      values: [endpoint?.team, randomUUIDv7(), count],
    });
  await world.empty();
  const { stop } = world.worker();
  await insert(1_000);
  await arrived(receivers, 1_000);
  await receivers.reset();
  const count = perSecond * seconds;
  const from = performance.timeOrigin + performance.now();
  await insert(count);
  const { last } = await arrived(receivers, count);
  await stop();
  receivers.stop();
  const rate = count / ((last - from) / 1_000);
  return {
    scenario: 'webhooks: entries of the journal to one endpoint',
    figures: { perSecond: rate },
    aim: `≥ ${perSecond}/s`,
    met: rate >= perSecond,
  };
}

/** Measures single events of one team while another team has 100 000 queued events. */
async function fairness(world: World, backlog: number): Promise<WebhookResult> {
  const [noisy, quiet] = [await world.receivers(1), await world.receivers(1)];
  const [loud] = await world.endpoints([`http://127.0.0.1:${noisy.ports[0]}/good`], 1);
  const [still] = await world.endpoints([`http://127.0.0.1:${quiet.ports[0]}/good`], 1);
  if (!loud || !still) throw new Error('no endpoints');
  await world.empty();
  await enqueue(world.pool, [loud], backlog);
  const { stop } = world.worker();
  await arrived(noisy, 100);
  for (let n = 0; n < 30; n += 1) {
    await enqueue(world.pool, [still], 1, true);
    await sleep(100);
  }
  const { delays } = await arrived(quiet, 30);
  const { good } = await noisy.report();
  await stop();
  noisy.stop();
  quiet.stop();
  const figures = { p50: quantile(delays, 0.5), max: Math.max(...delays), backlogLeft: backlog - good };
  return {
    scenario: 'webhooks: single events beside another team’s 100 000 (ms)',
    figures,
    aim: 'max ≤ 1000',
    met: figures.max <= 1_000 && good < backlog,
  };
}

/** Measures the memory of the worker at 500 deliveries per second. */
async function memory(world: World, seconds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(50);
  const endpoints = await world.endpoints(
    receivers.ports.map((port) => `http://127.0.0.1:${port}/good`),
    10,
  );
  await world.empty();
  const { child, stop } = world.worker();
  const samples: number[] = [];
  await feed(world, endpoints, 500, 15);
  for (let passed = 0; passed < seconds; passed += 10) {
    await feed(world, endpoints, 500, 10);
    samples.push(residentMiB(child.pid));
  }
  await stop();
  receivers.stop();
  const third = Math.ceil(samples.length / 3);
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const figures = {
    firstThirdMiB: mean(samples.slice(0, third)),
    lastThirdMiB: mean(samples.slice(-third)),
    highestMiB: Math.max(...samples),
  };
  return {
    scenario: 'webhooks: memory of the worker at 500/s',
    figures,
    aim: 'flat (≤ +15 %)',
    met: figures.lastThirdMiB <= 1.15 * figures.firstThirdMiB,
  };
}

export type WebhookBenchOptions = { seconds: number; rounds: number; memorySeconds: number; only: readonly string[] };

/** Runs the scenarios with a name that contains one of `only`, or all scenarios. Calls `show` with each result. */
export async function benchWebhooks(
  { seconds, rounds, memorySeconds, only }: WebhookBenchOptions,
  show: (result: WebhookResult) => void,
): Promise<void> {
  const scenarios: [string, (world: World) => Promise<WebhookResult>][] = [
    ['webhooks-http', (world) => throughput(world, false, 5_000, 10_000 * seconds)],
    ['webhooks-tls', (world) => throughput(world, true, 4_000, 10_000 * seconds)],
    ['webhooks-latency', (world) => latency(world, 3 * seconds)],
    ['webhooks-isolation', (world) => isolation(world, 3 * seconds, rounds)],
    ['webhooks-journal', (world) => journal(world, 500, 5 * seconds)],
    ['webhooks-fairness', (world) => fairness(world, 100_000)],
    ['webhooks-silence', (world) => besideSilence(world, 3 * seconds, rounds)],
    ['webhooks-interim', (world) => besideInterim(world, 3 * seconds, rounds)],
    ['webhooks-backlog', (world) => backlogAtStart(world, rounds)],
    ['webhooks-memory', (world) => memory(world, memorySeconds)],
  ];
  const chosen = scenarios.filter(([name]) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) return;
  const { world, stop } = await prepareWebhooks();
  try {
    for (const [, run] of chosen) show(await run(world));
  } finally {
    await stop();
  }
}
