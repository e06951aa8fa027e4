import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ReceivedRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

/** Starts a third-party server on this machine that records its requests. */
export async function startJsonServer(
  answer: (asked: ReceivedRequest, response: ServerResponse) => unknown,
  /** Whether the open server keeps the process alive. */
  { keepsProcess = true }: { keepsProcess?: boolean } = {},
): Promise<{
  url: string;
  requests: ReceivedRequest[];
  close(): Promise<void>;
}> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      requests.push(one);
      const given = await answer(one, response);
      if (given === undefined) return;
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(typeof given === 'string' ? given : JSON.stringify(given));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  if (!keepsProcess) server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
