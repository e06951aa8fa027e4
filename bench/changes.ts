/**
 * Measures the stream of changes for 200 connected members, who all see each change. The figures are the time until all streams have it, and the
 * CPU time of the service.
 */
import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertMember, insertSessions } from '../test/memberships.ts';
import type { Result } from './result.ts';
import { cpuSeconds, quantile } from './webhook-world.ts';
import { prepareWorld, type World } from './world.ts';

const members = 200;
const changes = 20;
const aimMs = 3_000;
/** The journal’s tree has the entries after at most half a second, and a node reads the changes of a team once a second. */
const betweenMs = 1_500;

/** Opens a stream of a new member. `seen` gets the time at which it received each resource. */
async function streamOf(world: World, seen: Map<string, number[]>, gone: AbortSignal): Promise<void> {
  const [user, session] = [randomUUIDv7(), randomUUIDv7()];
  await insertMember(world.ours, { team: world.team, id: user, email: `${user}@example.org`, role: 'member' });
  await insertSessions(world.ours, world.team, user, [session]);
  const token = await world.issue({ team: world.team, user, session, role: 'member' });
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const response = await fetch(`${world.oursUrl}/api/v1/changes`, { headers, signal: gone });
  if (!response.ok || !response.body) throw new Error(await response.text());
  void (async () => {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const [, id = ''] of part.matchAll(/"id":"([^"]+)"/g)) seen.get(id)?.push(performance.now());
  })().catch(() => undefined);
}

export async function benchChanges({ only }: { only: readonly string[] }, show: (result: Result) => void): Promise<void> {
  if (only.length > 0 && !only.some((part) => 'changes'.includes(part))) return;
  const world = await prepareWorld();
  const gone = new AbortController();
  try {
    const seen = new Map<string, number[]>();
    for (let n = 0; n < members; n += 1) await streamOf(world, seen, gone.signal);
    const begun = new Map<string, number>();
    const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' };
    const cpu = cpuSeconds(world.pid);
    for (let n = 0; n < changes; n += 1) {
      const at = performance.now();
      const made = await fetch(`${world.oursUrl}/api/v1/groups/`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: `Group ${n}` }),
      });
      const { id } = (await made.json()) as { id: string };
      seen.set(id, []);
      begun.set(id, at);
      await sleep(betweenMs);
    }
    await sleep(aimMs);
    const delays = Array.from(begun, ([id, at]) => (seen.get(id) ?? []).map((received) => received - at)).flat();
    const figures = {
      'received of': delays.length / (members * changes),
      'p50 ms': quantile(delays, 0.5),
      'p99 ms': quantile(delays, 0.99),
      'CPU ms per change': ((cpuSeconds(world.pid) - cpu) * 1_000) / changes,
    };
    const met = delays.length === members * changes && figures['p99 ms'] <= aimMs;
    show({ scenario: `changes: ${members} connected members`, figures, aim: `all, p99 ≤ ${aimMs} ms`, met });
  } finally {
    gone.abort();
    await world.stop();
  }
}
