import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as a collector receives it. `resource` has the attributes of its process. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number; message?: string };
  events?: unknown[];
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
};

/** An OpenTelemetry collector that stores all spans (OTLP over HTTP, in JSON). */
export type Collector = {
  url: string;
  spans: CollectedSpan[];
  /** The received bodies. */
  bodies: string[];
  requests: { url: string | undefined; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
};

type Attribute = { key: string; value: Record<string, unknown> };
type Body = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes' | 'resource'> & { attributes: Attribute[] })[] }[];
  }[];
};

const membersOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function startCollector(): Promise<Collector> {
  const collector: Pick<Collector, 'spans' | 'bodies' | 'requests'> = { spans: [], bodies: [], requests: [] };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    collector.bodies.push(body);
    collector.requests.push({ url: request.url, headers: request.headers });
    for (const { resource, scopeSpans } of (JSON.parse(body) as Body).resourceSpans)
      for (const { attributes, ...span } of scopeSpans.flatMap(({ spans }) => spans))
        collector.spans.push({ ...span, attributes: membersOf(attributes), resource: membersOf(resource.attributes) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...collector,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
