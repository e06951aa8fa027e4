/**
 * Receivers of the webhook scenarios, in a separate process. Each port has one http or https server. The beginning of the path selects
 * the response:
 * - `/good` responds at once, and `/500` with an error;
 * - `/hang` never responds;
 * - `/silent` responds 40 times, and then sends headers without a body;
 * - `/interim` sends only interim responses.
 * The process exchanges messages with its parent.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

const ports = Number(process.env.BENCH_PORTS);
const { BENCH_KEY, BENCH_CERT } = process.env;

let good = 0;
let first = 0;
let last = 0;
/** Milliseconds from an event to its arrival, for events with a timestamp. */
let delays: number[] = [];
const clock = () => performance.timeOrigin + performance.now();

const answered = new Map<string, number>();

/** Whether the path has already had 40 requests. */
function isSilentNow(path: string): boolean {
  const earlier = answered.get(path) ?? 0;
  answered.set(path, earlier + 1);
  return earlier >= 40;
}

function flood(response: ServerResponse): void {
  const { socket } = response;
  const more = (): void => {
    while (socket?.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)));
  };
  socket?.on('drain', more).on('error', () => undefined);
  more();
}

const listener: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const kind = request.url ?? '';
    if (kind.startsWith('/hang')) return;
    if (kind.startsWith('/interim')) return flood(response);
    if (kind.startsWith('/silent')) {
      if (isSilentNow(kind)) return response.writeHead(200, { 'content-length': '10' }).flushHeaders();
      good += 1;
      response.writeHead(204).end();
      return;
    }
    if (kind.startsWith('/500')) {
      response.writeHead(500).end();
      return;
    }
    last = clock();
    first ||= last;
    good += 1;
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    const at = /"at":(\d+(?:\.\d+)?)/.exec(body?.toString('latin1', 0, 64) ?? '')?.[1];
    if (at !== undefined) delays.push(last - Number(at));
    response.writeHead(200).end();
  });
};

const servers: Server[] = await Promise.all(
  Array.from({ length: ports }, async () => {
    const server =
      BENCH_KEY && BENCH_CERT
        ? createSecureServer({ key: readFileSync(BENCH_KEY), cert: readFileSync(BENCH_CERT) }, listener)
        : createServer(listener);
    server.keepAliveTimeout = 120_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }),
);

process.on('message', (message) => {
  if (message === 'report') process.send?.({ good, first, last, delays });
  if (message === 'reset') {
    [good, first, last, delays] = [0, 0, 0, []];
    process.send?.({ good, first, last, delays });
  }
});
process.on('disconnect', () => process.exit(0));
process.send?.(servers.map((server) => (server.address() as AddressInfo).port));
