/** Measures the longest event loop turn, in CPU time, of each costly operation at its limits. */
import { costlyOperations, measureTurns } from '../test/event-loop/operations.ts';
import { prepareWorld, unlimited } from './world.ts';
import type { Result } from './result.ts';

/** CPU time in milliseconds that one turn may use. */
const aimMs = 50;

export async function benchEventLoop(
  { rounds, only }: { rounds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  const wanted = costlyOperations.filter(({ name }) => only.length === 0 || only.some((part) => `event-loop ${name}`.includes(part)));
  if (wanted.length === 0) return;
  const world = await prepareWorld(
    { ...unlimited, ALTCHA: 'off', READ_LIMIT_SECONDS: '30', WRITE_LIMIT_SECONDS: '30' },
    undefined,
    'test/event-loop/probe.ts',
  );
  try {
    const service = { url: world.oursUrl, token: world.token, team: world.team, user: world.user, pool: world.ours, child: world.child };
    for (const operation of wanted) {
      const { longestMs, allMs } = await measureTurns(service, operation, rounds);
      show({
        scenario: `event-loop ${operation.name}`,
        figures: { 'longest ms': longestMs, 'all ms': allMs },
        aim: `≤ ${aimMs} ms a turn`,
        met: longestMs <= aimMs,
      });
    }
  } finally {
    await world.stop();
  }
}
