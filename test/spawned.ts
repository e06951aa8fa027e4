import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** The service in a separate process with settings in environment variables, as an operator runs it. */
export type Spawned = {
  url: string;
  child: ChildProcess;
  /** Returns the output so far. */
  output(): string;
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
};

/** Returns a port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts a worker on a free port. Its effects are visible in the database and at receivers. */
export function spawnWorker(settings: Record<string, string>): Omit<Spawned, 'url'> {
  return watch(serve({ HEALTH_PORT: '0', BASE_URL: 'http://127.0.0.1:8080', ...settings }, ['--role', 'worker']));
}

function serve(settings: Record<string, string>, args: string[], root = '.'): ChildProcess {
  return spawn(process.execPath, ['packages/chancery/bin/chancery.js', 'serve', ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_NO_WARNINGS: '1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function watch(child: ChildProcess): Omit<Spawned, 'url'> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
    return child.exitCode;
  };
  return { child, output: () => output, kill: async () => void (await ended('SIGKILL')), stop: () => ended('SIGTERM') };
}

/** A start on a busy machine takes twenty times as long as on an idle one. */
const longestStartMs = 600_000;

/** Starts `serve` and waits until it is ready. `root` is the folder of another version. */
export async function spawnService(settings: Record<string, string>, args: string[] = [], root?: string): Promise<Spawned> {
  const port = settings.PORT ?? String(await freePort());
  const child = serve({ ...settings, PORT: port, HEALTH_PORT: port }, args, root);
  const watched = watch(child);
  const url = `http://127.0.0.1:${port}`;
  for (const latest = Date.now() + longestStartMs; ;) {
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (child.exitCode !== null || Date.now() > latest) {
      await watched.kill();
      throw new Error(`the service did not start: ${watched.output()}`);
    }
    await sleep(50);
  }
  return { url, ...watched };
}
