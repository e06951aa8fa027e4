import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verify } from '@chancery/webhooks';

export type ReceivedDelivery = { path: string; headers: IncomingHttpHeaders; body: Buffer; event: any };

/** A real receiver that responds with 200 or as `answer` decides, and stores all deliveries. */
export type Receiver = {
  url: string;
  received: ReceivedDelivery[];
  /** Decides the response to each delivery from now on; by default 200. */
  answer: (response: ServerResponse, delivery: ReceivedDelivery) => void;
  /** Returns the deliveries to one path, such as `/a`. */
  at(path: string): ReceivedDelivery[];
  verifies(delivery: ReceivedDelivery, secret: string): boolean;
  /** Closes every connection, even without a response. */
  hangUp(): void;
  close(): Promise<void>;
};

export const ok = (response: ServerResponse): void => void response.writeHead(200).end();

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const delivery = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body.toString()) };
      receiver.received.push(delivery);
      receiver.answer(response, delivery);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: ok,
    at: (path) => receiver.received.filter((delivery) => delivery.path === path),
    verifies: ({ body, headers }, secret) => isProven(body, headers, secret),
    hangUp: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        receiver.hangUp();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

/** Verifies the signature of a delivery as a receiver does. */
export function isProven(body: Buffer, headers: IncomingHttpHeaders, secret: string): boolean {
  try {
    verify(body, headers, secret);
    return true;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return false;
  }
}

/**
 * Waits until a condition is true, for at most `ms`, and then throws with its name. The default allows for a busy machine. The check interval grows
 * to a tenth of the time waited, because each check takes CPU time from the work under test.
 */
export async function eventually<T>(what: string | (() => string), look: () => T | Promise<T>, ms = 120_000): Promise<NonNullable<T>> {
  for (const begun = Date.now(); ;) {
    const found = await look();
    if (found) return found;
    const waited = Date.now() - begun;
    if (waited > ms) throw new Error(`never happened: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(100, Math.max(10, waited / 10))));
  }
}
