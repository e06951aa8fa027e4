import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { prlimit } from '../reading/sandbox.ts';
import { companion, dist, builtFile } from '../entry-points.ts';
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

const heap = '--max-old-space-size=128';
/** Memory of the process besides its document: fonts, compiler and JavaScript engine. */
const besideMb = 900;
const startSeconds = 10;

const worker = builtFile(new URL('worker.ts', import.meta.url));
const watch = builtFile(new URL('watch.ts', import.meta.url));

/**
 * Starts a typesetting process. A confined process can read only its code and the fonts and cannot start other processes. `prlimit` adds system
 * limits if available. The watch thread runs in every case.
 */
export function launch(given: Omit<WorkerSetting, 'watch'>, confined: boolean): ChildProcess {
  const setting = { ...given, watch };
  const child = fork(worker, [JSON.stringify(setting)], {
    serialization: 'advanced',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(confined ? confinement(setting) : { execArgv: [heap] }),
  });
  giveWay(child);
  return child;
}

function confinement({ limits, fonts }: WorkerSetting): { execPath?: string; execArgv: string[] } {
  // The compiler loads its native code from the package beside it.
  const readable = [dist, dirname(companion('@myriaddreamin/typst-ts-node-compiler') ?? ''), ...fonts.files];
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
