import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import type { Role } from '../src/service.ts';
import type { HostReply, HostRequest } from './service-host.ts';

/** A service in the host process. */
export type HostedService = { address: string | undefined; description: string | undefined; stop(): Promise<void> };
type HostedOptions = { settings: Record<string, string>; role: Role; describe: boolean };

type PendingReply = { resolve(reply: HostReply): void; reject(error: Error): void };

const pending = new Map<number, PendingReply>();
let host: ChildProcess | undefined;
let requests = 0;

/** Starts the host at the first call. The host does not keep the test process alive, and ends with it. */
function openHost(): ChildProcess {
  if (host) return host;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const started = fork(join(import.meta.dirname, 'service-host.ts'), { execArgv: ['--max-semi-space-size=64'], env });
  started.on('message', (reply: HostReply) => {
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if (pending.size === 0) started.channel?.unref();
    if (reply.error === undefined) waiting?.resolve(reply);
    else waiting?.reject(new Error(reply.error));
  });
  started.on('exit', (code) => {
    host = undefined;
    for (const { reject } of pending.values()) reject(new Error(`The host process of the tested services ended with ${code}.`));
    pending.clear();
  });
  started.unref();
  host = started;
  return started;
}

function send(request: HostRequest): Promise<HostReply> {
  const to = openHost();
  to.channel?.ref();
  return new Promise((resolve, reject) => {
    pending.set(request.id, { resolve, reject });
    to.send(request, (error) => error && reject(error));
  });
}

/** Starts a service in the host process. Rejects with the error message if the start fails. */
export async function startHosted({ settings, role, describe }: HostedOptions): Promise<HostedService> {
  requests += 1;
  const id = requests;
  const { address, description } = await send({ id, start: { settings, role, describe } });
  return {
    address,
    description,
    async stop() {
      requests += 1;
      await send({ id: requests, stop: id });
    },
  };
}
