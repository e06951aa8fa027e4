import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prlimit } from '../reading/sandbox.ts';
import { bundleOf } from '../reading/snapshot.ts';
import type { WorkerSetting } from './messages.ts';

/** The environment of a worker: no variables of the service, and an unreachable proxy that blocks network requests. */
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
/** Memory of the process besides its document: fonts, compiler and JavaScript engine. */
const besideMb = 900;
const startSeconds = 10;

type Code = { worker: string; watch: string };
const source: Code = { worker: from('worker.ts'), watch: from('watch.ts') };
let bundled: Code | undefined;
let isBundling = false;

/** Returns the code of a worker: one bundled file for each thread, or the source until the bundles exist. */
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
 * Starts a typesetting process. A confined process can read only its code and the fonts and cannot start other processes. `prlimit` adds system
 * limits if available. The watch thread runs in every case.
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

/** Lowers the priority of the process, so that HTTP requests have priority over documents. */
function giveWay(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10);
  } catch {
    // Without this permission, documents and requests have the same priority.
  }
}
