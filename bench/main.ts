/**
 * `npm run bench`: each scenario against its floor in the same run, in turn, several rounds; prints a table and writes
 * bench/results/<time>.json. The floor is the least code that does the same work: bare node:http and pg, one plain named
 * statement (or one transaction of the same rows), a token looked up in a map, no framework, no row-level security.
 * `--seconds N` a measurement (4 by default), `--rounds N` (3), and names of scenarios to run only those: `webhooks` for all of
 * bench/webhooks.ts, which have no floor and are held against fixed aims; `--memory-seconds N` (120) is for the last of them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { measure, type Measured } from './load.ts';
import { prepareWorld } from './world.ts';
import { scenarios } from './scenarios.ts';
import { benchWebhooks } from './webhooks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    'memory-seconds': { type: 'string', default: '120' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const summary = (runs: readonly Measured[]) => ({
  perSecond: median(runs.map((run) => run.perSecond)),
  p50: median(runs.map((run) => run.p50)),
  p99: median(runs.map((run) => run.p99)),
});

const results: unknown[] = [];
const chosen = scenarios.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
const world = chosen.length > 0 ? await prepareWorld() : undefined;
try {
  for (const scenario of chosen) {
    if (!world) break;
    const sides = await scenario.prepare(world);
    const ours: Measured[] = [];
    const floor: Measured[] = [];
    await measure(world.floorUrl, sides.floor, 1);
    await measure(world.oursUrl, sides.ours, 1);
    for (let round = 0; round < rounds; round += 1) {
      floor.push(await measure(world.floorUrl, sides.floor, seconds));
      ours.push(await measure(world.oursUrl, sides.ours, seconds));
    }
    const ratio = median(ours.map((run, round) => run.perSecond / (floor[round]?.perSecond ?? 1)));
    const [a, b] = [summary(ours), summary(floor)];
    const met = ratio >= scenario.target && (scenario.p99Target === undefined || a.p99 <= scenario.p99Target * b.p99);
    results.push({ scenario: scenario.name, ours: a, floor: b, ratio, target: scenario.target, met });
    const cell = (value: number, digits = 0) => value.toFixed(digits).padStart(8);
    process.stdout.write(
      `${scenario.name.padEnd(34)} ours ${cell(a.perSecond)}/s  floor ${cell(b.perSecond)}/s  ratio ${ratio.toFixed(2)} (≥ ${scenario.target.toFixed(2)})  p50 ${cell(a.p50, 2)} ms  p99 ${cell(a.p99, 2)} ms (floor ${cell(b.p99, 2)})  ${met ? '✓' : '✗'}\n`,
    );
  }
} finally {
  await world?.stop();
}
await benchWebhooks({ seconds, memorySeconds: Number(values['memory-seconds']), only: positionals }, (result) => {
  results.push(result);
  const figures = Object.entries(result.figures).map(([name, value]) => `${name} ${value.toFixed(value < 100 ? 1 : 0)}`);
  process.stdout.write(`${result.scenario.padEnd(62)} ${figures.join('  ')}  (${result.aim})  ${result.met ? '✓' : '✗'}\n`);
});
const folder = new URL('./results/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(
  new URL(`${new Date().toISOString().replaceAll(':', '-')}.json`, folder),
  JSON.stringify({ seconds, rounds, node: process.version, results }, null, 2),
);
process.exit(0);
