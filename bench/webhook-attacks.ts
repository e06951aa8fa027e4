import { setTimeout as sleep } from 'node:timers/promises';
import {
  arrived,
  cpuSeconds,
  type Endpoint,
  enqueue,
  feed,
  quantile,
  queueIsEmpty,
  type Receivers,
  type WebhookResult,
  type World,
} from './webhook-world.ts';

/*
 * Measures the effect of malicious receivers of other teams on one team, and the start of a worker with a backlog.
 */

type Attack = {
  /** Runs before the measurement. */
  begin(): Promise<void>;
  /** Runs at intervals during the measurement. */
  goOn(): Promise<void>;
};

const medianOf = (runs: readonly number[][], part: number) =>
  quantile(
    runs.map((delays) => quantile(delays, part)),
    0.5,
  );

/** Measures 20 single events per second of an unrelated team, in alternating rounds with and without an attack. Returns medians. */
async function beside(world: World, name: string, seconds: number, rounds: number, attack: Attack): Promise<WebhookResult> {
  const receivers = await world.receivers(1);
  const good = await world.endpoints([`http://127.0.0.1:${receivers.ports[0]}/good`], 1);
  const delays: Record<'alone' | 'attacked', number[][]> = { alone: [], attacked: [] };
  const busy: number[] = [];
  for (let run = 0; run < 2 * rounds; run += 1) {
    const kind = run % 2 === 0 ? 'alone' : 'attacked';
    await world.empty();
    const { child, stop } = world.worker();
    await feed(world, good, 20, 2);
    await queueIsEmpty(world);
    if (kind === 'attacked') await attack.begin();
    const attacking = kind === 'attacked' ? setInterval(() => void attack.goOn().catch(() => undefined), 1_000) : undefined;
    await sleep(2_000);
    await receivers.reset();
    const before = cpuSeconds(child.pid);
    const sent = await feed(world, good, 20, seconds);
    if (kind === 'attacked') busy.push((cpuSeconds(child.pid) - before) / seconds);
    delays[kind].push((await arrived(receivers, sent, 60_000)).delays);
    clearInterval(attacking);
    await stop();
  }
  receivers.stop();
  const figures = {
    p50Alone: medianOf(delays.alone, 0.5),
    p99Alone: medianOf(delays.alone, 0.99),
    p50Beside: medianOf(delays.attacked, 0.5),
    p99Beside: medianOf(delays.attacked, 0.99),
    workerCpuPercent: 100 * quantile(busy, 0.5),
  };
  return { scenario: `webhooks: ${name} (ms)`, figures, aim: 'p99 ≤ 3 × alone', met: figures.p99Beside <= 3 * figures.p99Alone };
}

async function attackers(world: World, kind: string, count: number): Promise<{ bad: Endpoint[]; receivers: Receivers }> {
  const receivers = await world.receivers(10);
  const urls = Array.from({ length: count }, (_, n) => `http://127.0.0.1:${receivers.ports[n % 10]}/${kind}/${n}`);
  return { bad: await world.endpoints(urls, 50), receivers };
}

/** Three teams with 50 endpoints each and three events per second. An endpoint responds 40 times and then never ends a response. */
export async function besideSilence(world: World, seconds: number, rounds: number): Promise<WebhookResult> {
  const { bad, receivers } = await attackers(world, 'silent', 150);
  const result = await beside(world, 'single events beside 150 endpoints that fall silent after their status', seconds, rounds, {
    begin: async () => {
      await enqueue(world.pool, bad, 100 * bad.length);
      await arrived(receivers, 40 * bad.length);
    },
    // Enqueues one event of a team at a time, for its 50 endpoints.
    goOn: async () => {
      for (let n = 0; n < 9; n += 1) {
        const team = (n % 3) * 50;
        await enqueue(world.pool, bad.slice(team, team + 50), 50);
        await sleep(90);
      }
    },
  });
  receivers.stop();
  return result;
}

/** Five endpoints with many deliveries that send only interim responses. */
export async function besideInterim(world: World, seconds: number, rounds: number): Promise<WebhookResult> {
  const { bad, receivers } = await attackers(world, 'interim', 5);
  const result = await beside(world, 'single events beside five endpoints of endless interim answers', seconds, rounds, {
    begin: () => enqueue(world.pool, bad, 500),
    goOn: async () => {
      await world.pool.query(
        'UPDATE webhook_endpoint_state SET blocked_until = NULL, consecutive_failures = 1 WHERE blocked_until IS NOT NULL',
      );
      await enqueue(world.pool, bad, 50);
    },
  });
  receivers.stop();
  return result;
}

/** Starts a worker with one pending delivery for each of 2 000 teams, while five endpoints of another team fail. */
export async function backlogAtStart(world: World, rounds: number): Promise<WebhookResult> {
  const [receivers, failing] = [await world.receivers(20), await world.receivers(5)];
  const good = await world.endpoints(
    Array.from({ length: 2_000 }, (_, n) => `http://127.0.0.1:${receivers.ports[n % 20]}/good/${n}`),
    1,
  );
  const bad = await world.endpoints(
    failing.ports.map((port) => `http://127.0.0.1:${port}/500`),
    5,
  );
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await world.empty();
    await receivers.reset();
    await enqueue(world.pool, bad, 500);
    await enqueue(world.pool, good, good.length);
    const { stop } = world.worker();
    const { first, last } = await arrived(receivers, good.length);
    rates.push(good.length / ((last - first) / 1_000));
    await stop();
  }
  receivers.stop();
  failing.stop();
  const perSecond = quantile(rates, 0.5);
  return {
    scenario: 'webhooks: first deliveries at a start with a backlog, five endpoints failing',
    figures: { perSecond, lowest: Math.min(...rates) },
    aim: '≥ 1000/s',
    met: perSecond >= 1_000,
  };
}
