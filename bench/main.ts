/**
 * `npm run bench` compares each scenario with its floor, in alternating rounds of the same run. It prints a table and writes
 * bench/results/<time>.json. The floor is minimal code for the same work: node:http and pg, one named statement or transaction, and a
 * token in a map. It has no framework and no row-level security. Scenarios without a floor have a bound instead.
 *
 * Options: `--seconds N` for each measurement (4 by default), `--rounds N` (3), `--memory-seconds N` (120) for the memory of webhooks.
 *
 * Arguments select scenarios by a part of their name, or by a group.
 *
 * Groups: `start`, `audit`, `access`, `jobs`, `event-loop`, `growth`, `mcp`, `agents`, `search`, `million`, `bookings`, `pdf`,
 * `webhooks`, `neighbours`, `memory`, `database-silence`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { benchAccess } from './access.ts';
import { benchAgents } from './agents.ts';
import { measureAudit } from './audit.ts';
import { benchBookings } from './bookings.ts';
import { benchChanges } from './changes.ts';
import { benchDatabaseSilence } from './database-silence.ts';
import { benchEventLoop } from './event-loop.ts';
import { benchJobs } from './jobs.ts';
import { benchMcp } from './mcp.ts';
import { benchMemory } from './memory.ts';
import { type Measured, measureBeside } from './load.ts';
import { growthScenarios, scenarios } from './scenarios.ts';
import { measureStart, startFigures } from './start.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchPdf } from './pdf.ts';
import { benchSealing } from './sealing.ts';
import { benchSearch } from './search.ts';
import { benchSubmissions } from './submissions.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWholeJob } from './whole-job.ts';
import { grow } from './tasks.ts';
import { prepareWorld, type World } from './world.ts';
import type { Result } from './result.ts';

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
const wanted = (name: string) => positionals.length === 0 || positionals.some((part) => name.includes(part));
const results: object[] = [];
const say = (line: string) => process.stdout.write(`${line}\n`);
const mark = (met: boolean) => (met ? '✓' : '✗');

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const summary = (runs: readonly Measured[]) => ({
  perSecond: median(runs.map((run) => run.perSecond)),
  p50: median(runs.map((run) => run.p50)),
  p95: median(runs.map((run) => run.p95)),
  p99: median(runs.map((run) => run.p99)),
});

/** Runs first, on the idle machine. */
async function benchStart(): Promise<void> {
  for (const { name, unit, values: measured, target } of await measureStart(rounds)) {
    if (measured.length === 0 || !wanted(name)) continue;
    const ours = median(measured);
    results.push({ scenario: name, unit, ours, values: measured, target, met: ours <= target });
    say(`${name.padEnd(46)} ours ${ours.toFixed(0).padStart(6)} ${unit} (≤ ${target})  ${mark(ours <= target)}`);
  }
}

async function benchScenarios(chosen: typeof scenarios, before?: (world: World) => Promise<void>): Promise<void> {
  const world = await prepareWorld();
  try {
    await before?.(world);
    for (const scenario of chosen) {
      const sides = await scenario.prepare(world);
      const ours: Measured[] = [];
      const floor: Measured[] = [];
      await measureBeside(world.floorUrl, sides.floor, sides.beside, 1);
      await measureBeside(world.oursUrl, sides.ours, sides.beside, 1);
      for (let round = 0; round < rounds; round += 1) {
        floor.push(await measureBeside(world.floorUrl, sides.floor, sides.beside, seconds));
        ours.push(await measureBeside(world.oursUrl, sides.ours, sides.beside, seconds));
      }
      const ratio = median(ours.map((run, round) => run.perSecond / (floor[round]?.perSecond ?? 1)));
      const [a, b] = [summary(ours), summary(floor)];
      const met = ratio >= scenario.target && (scenario.p99Target === undefined || a.p99 <= scenario.p99Target * b.p99);
      results.push({ scenario: scenario.name, ours: a, floor: b, ratio, target: scenario.target, met });
      const cell = (value: number, digits = 0) => value.toFixed(digits).padStart(8);
      say(
        `${scenario.name.padEnd(43)} ours ${cell(a.perSecond)}/s  floor ${cell(b.perSecond)}/s  ratio ${ratio.toFixed(2)} (≥ ${scenario.target.toFixed(2)})  p50 ${cell(a.p50, 2)} ms  p99 ${cell(a.p99, 2)} ms (floor ${cell(b.p99, 2)})  ${mark(met)}`,
      );
    }
    if (!before && wanted('audit')) results.push(...(await measureAudit(world.audit)));
  } finally {
    await world.stop();
  }
}

if (startFigures.some(wanted)) await benchStart();
const chosen = scenarios.filter(({ name }) => wanted(name));
if (chosen.length > 0 || wanted('audit')) await benchScenarios(chosen);
const grown = growthScenarios.filter(({ name }) => wanted(name));
if (grown.length > 0 && (positionals.length === 0 || positionals.some((part) => part.startsWith('growth'))))
  await benchScenarios(grown, grow);
const showFigures = (result: Result) => {
  results.push(result);
  const figures = Object.entries(result.figures).map(([name, value]) => `${name} ${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)}`);
  say(`${result.scenario.padEnd(62)} ${figures.join('  ')}  (${result.aim})  ${mark(result.met)}`);
};
await benchEventLoop({ rounds, only: positionals }, showFigures);
await benchJobs({ seconds, rounds, only: positionals }, showFigures);
await benchBookings({ rounds, only: positionals }, showFigures);
await benchMcp({ seconds, rounds, only: positionals }, showFigures);
await benchAgents({ seconds, rounds, only: positionals }, showFigures);
await benchAccess({ only: positionals }, showFigures);
await benchSearch({ seconds, rounds, only: positionals }, showFigures);
await benchSubmissions({ seconds, only: positionals }, showFigures);
await benchPdf({ seconds, rounds, only: positionals }, showFigures);
await benchWholeJob({ only: positionals }, showFigures);
await benchChanges({ only: positionals }, showFigures);
await benchSealing({ rounds, only: positionals }, showFigures);
await benchNeighbours({ seconds, rounds, only: positionals }, showFigures);
await benchMemory({ seconds, only: positionals }, showFigures);
await benchDatabaseSilence({ rounds, only: positionals }, showFigures);
await benchWebhooks({ seconds, rounds, memorySeconds: Number(values['memory-seconds']), only: positionals }, showFigures);
const folder = new URL('./results/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(
  new URL(`${new Date().toISOString().replaceAll(':', '-')}.json`, folder),
  JSON.stringify({ seconds, rounds, node: process.version, results }, null, 2),
);
process.exit(0);
