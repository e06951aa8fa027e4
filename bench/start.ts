import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './world.ts';

/** A figure with its upper bound. A start has no floor. */
type Figure = { name: string; unit: 'ms' | 'MB'; values: number[]; target: number };

const idleMs = 3_000;
/** The names of the measurements. */
export const startFigures = ['start on an existing data directory', 'start on an empty data directory', 'resident when idle'] as const;

type Started = { child: ChildProcess; readyMs: number };

/** Starts the service on its embedded database. Returns the milliseconds until it is ready. */
async function start(dataDir: string): Promise<Started> {
  const port = await freePort();
  const from = performance.now();
  const child = spawn(process.execPath, ['packages/chancery/bin/chancery.js', 'serve'], {
    stdio: 'inherit',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_NO_WARNINGS: '1',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      PORT: String(port),
    },
  });
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready())) {
    if (child.exitCode !== null || performance.now() - from > 60_000) throw new Error('the service does not start');
    await sleep(5);
  }
  return { child, readyMs: performance.now() - from };
}

async function stop({ child }: Started): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Resident memory of the process without its database, from /proc. */
async function residentMb({ child }: Started): Promise<number | undefined> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/** Measures start and idle memory several times. The first start fills the compile cache and is not counted. */
export async function measureStart(rounds: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-start-'));
  // As root, the database runs as another user, which needs access to this folder.
  await chmod(folder, 0o755);
  const [existing, empty, idle]: number[][] = [[], [], []];
  try {
    await stop(await start(join(folder, 'existing')));
    for (let round = 0; round < rounds; round += 1) {
      const fresh = await start(join(folder, `empty-${round}`));
      empty?.push(fresh.readyMs);
      await stop(fresh);
      const again = await start(join(folder, 'existing'));
      existing?.push(again.readyMs);
      await sleep(idleMs);
      const resident = await residentMb(again);
      if (resident !== undefined) idle?.push(resident);
      await stop(again);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return [
    { name: startFigures[0], unit: 'ms', values: existing ?? [], target: 1_500 },
    { name: startFigures[1], unit: 'ms', values: empty ?? [], target: 4_000 },
    { name: startFigures[2], unit: 'MB', values: idle ?? [], target: 160 },
  ];
}
