import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prlimit } from '../reading/sandbox.ts';
import { bundleOf } from '../reading/snapshot.ts';
import type { WorkerSetting } from './messages.ts';

/** What a worker's environment holds: nothing of ours, and a proxy that cannot be there for whatever would go out. */
const nowhere = 'http://127.0.0.1:0';
const environment = {
  HOME: '/nonexistent',
  HTTP_PROXY: nowhere,
  HTTPS_PROXY: nowhere,
  ALL_PROXY: nowhere,
  http_proxy: nowhere,
  https_proxy: nowhere,
  all_proxy: nowhere,
};

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const heap = '--max-old-space-size=128';
/** What the process holds beside its document: fonts, the compiler, the engine of JavaScript. */
const besideMb = 900;
const startSeconds = 10;

type Code = { worker: string; watch: string };
const source: Code = { worker: from('worker.ts'), watch: from('watch.ts') };
let bundled: Code | undefined;
let isBundling = false;

/** What a worker runs: its code as one file for each thread, and its source until those are made. */
function code(): Code {
  if (!isBundling) void bundle();
  return bundled && existsSync(bundled.worker) && existsSync(bundled.watch) ? bundled : source;
}

async function bundle(): Promise<void> {
  isBundling = true;
  const worker = await bundleOf(source.worker);
  const watch = await bundleOf(source.watch);
  bundled = worker === undefined || watch === undefined ? undefined : { worker, watch };
}

/**
 * Starts a process that sets documents. A confined one reads its own code and the fonts alone, starts no other process, and is bounded
 * by the system where there is `prlimit`, beside the watch that it has in any case.
 */
export function launch(given: Omit<WorkerSetting, 'watch'>, confined: boolean): ChildProcess {
  const { worker, watch } = code();
  const setting = { ...given, watch };
  const child = fork(worker, [JSON.stringify(setting)], {
    serialization: 'advanced',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(confined ? confinement(setting, dirname(worker)) : { execArgv: [heap] }),
  });
  giveWay(child);
  return child;
}

function confinement({ limits, fontsFolder }: WorkerSetting, folder: string): { execPath?: string; execArgv: string[] } {
  const readable = [
    folder,
    from('../../../package.json'),
    from('../../../node_modules'),
    ...(fontsFolder === undefined ? [] : [fontsFolder]),
  ];
  const node = [
    '--permission',
    '--allow-addons',
    '--allow-worker',
    '--no-warnings',
    heap,
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
  if (prlimit === undefined) return { execArgv: node };
  const cpu = limits.cpuSeconds + startSeconds;
  const most = [`--cpu=${cpu}:${cpu + 1}`, `--data=${(limits.memoryMb + besideMb) * 1024 * 1024}`, '--core=0', '--fsize=0'];
  return { execPath: prlimit, execArgv: [...most, process.execPath, ...node] };
}

/** Requests come first. */
function giveWay(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10);
  } catch {
    // Where it may not, documents and requests share alike.
  }
}
