import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createMcpHandler, Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/* A third-party MCP server on this machine, built with the official package. */

export type RemoteTool = {
  name: string;
  description?: string;
  title?: string;
  inputSchema?: object;
  annotations?: object;
  answer?: (input: any) => string | object | Promise<object>;
};
export type RemoteServer = {
  url: string;
  origin: string;
  tools: RemoteTool[];
  /** Replaces the response to a request. If it returns `false`, the server responds normally. */
  answer: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  /** The headers of each request. */
  requestHeaders: IncomingMessage['headers'][];
  /** The tool calls with their input. */
  called: { name: string; input: unknown }[];
  /** Closes all connections, even during a request. */
  drop(): void;
  close(): Promise<void>;
};

/** Starts the server. `revision` 2025 requires `initialize` first. */
export async function startRemoteServer(revision: 2025 | 2026 = 2026): Promise<RemoteServer> {
  const build = (): Server => {
    const server = new Server({ name: 'elsewhere', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', async () => ({
      tools: it.tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool, answer: undefined })) as never,
    }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      it.called.push({ name: params.name, input: params.arguments });
      const given = await it.tools.find(({ name }) => name === params.name)?.answer?.(params.arguments);
      return (typeof given === 'object' ? given : { content: [{ type: 'text', text: given ?? '' }] }) as never;
    });
    return server;
  };
  const handler = createMcpHandler(build, { maxSubscriptions: 0, legacy: 'reject' });
  const fetch = async (request: Request): Promise<Response> => {
    if (revision === 2026) return handler.fetch(request);
    const transport = new WebStandardStreamableHTTPServerTransport({});
    await build().connect(transport);
    return transport.handleRequest(request);
  };
  const server = createServer((request, response) => void answered(request, response));
  async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
    it.requestHeaders.push(request.headers);
    if (it.answer && it.answer(request, response) !== false) return;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const body = await buffer(request);
    const { method = 'GET' } = request;
    const answer = await fetch(new Request(it.url, { method, headers, ...(method === 'POST' ? { body } : {}) }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const it: RemoteServer = {
    url: `${origin}/mcp`,
    origin,
    tools: [],
    answer: undefined,
    requestHeaders: [],
    called: [],
    drop: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return it;
}
