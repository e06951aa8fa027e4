import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { verify, type WebhookEvent, WebhookVerificationError } from '@chancery/webhooks';
import { UsageError } from './operator.ts';
import { stopSignal } from './stop-signal.ts';

export const usage = `Usage: chancery webhooks listen [options]

Receives, verifies and shows deliveries on this machine. Responds 204 to a valid signature and 401 to an invalid one.

  --secret whsec_…   secret of the endpoint; repeatable. Set WEBHOOK_SECRET instead to hide it from the process list.

  --port 4545        port; 0 selects a free one
  --host 127.0.0.1   address
  --status 204       response status
  --delay 0          milliseconds before the response
  --json             JSON lines
`;

const maxBytes = 2 * 1024 * 1024;
const maxRemembered = 10_000;

/** The result of one request. `verified` is absent without a secret. */
type DeliveryView = {
  at: string;
  path: string;
  bytes: number;
  verified?: boolean;
  reason?: string;
  repeated: boolean;
  event?: Partial<WebhookEvent>;
};

/** `webhooks listen`: a webhook receiver for development. Runs until a stop signal. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      secret: { type: 'string', multiple: true, default: [] },
      port: { type: 'string', default: '4545' },
      host: { type: 'string', default: '127.0.0.1' },
      status: { type: 'string' },
      delay: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    },
  });
  if (positionals.length !== 1 || positionals[0] !== 'listen') throw new UsageError('Specify an action: listen.');
  const secrets = [...values.secret, ...(process.env.WEBHOOK_SECRET ?? '').split(',')].filter((secret) => secret !== '');
  const status = values.status === undefined ? undefined : within('--status', values.status, 200, 599);
  const delay = within('--delay', values.delay, 0, 600_000);
  const remembered = new Set<string>();

  if (secrets.some((secret) => !secret.startsWith('whsec_')))
    throw new UsageError('A secret begins with whsec_. Use the secret that the creation of the endpoint returned.');

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (!body) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const seen = look(request, body, secrets, remembered);
    process.stdout.write(values.json ? `${JSON.stringify(seen)}\n` : shown(seen));
    setTimeout(() => response.writeHead(status ?? (seen.verified === false ? 401 : 204)).end(), delay);
  }
  // Does not show incomplete requests.
  const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()));
  server.listen(within('--port', values.port, 0, 65_535), values.host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const note = secrets.length === 0 ? 'Without a secret nothing is verified. Use --secret or WEBHOOK_SECRET.\n' : '';
  process.stderr.write(`Listening on http://${values.host.includes(':') ? `[${values.host}]` : values.host}:${port}/\n${note}`);
  await stopSignal();
  server.close();
  server.closeAllConnections();
  return 0;
}

function within(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < min || number > max)
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}.`);
  return number;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function look(request: IncomingMessage, body: Buffer, secrets: readonly string[], remembered: Set<string>): DeliveryView {
  const { event, ...verdict } = judge(body, request, secrets);
  const id = event?.id ?? '';
  const repeated = id !== '' && remembered.has(id);
  remembered.add(id);
  // Removes the oldest id: a set keeps its insertion order.
  if (remembered.size > maxRemembered) for (const oldest of [...remembered].slice(0, 1)) remembered.delete(oldest);
  return { at: new Date().toISOString(), path: request.url ?? '', bytes: body.length, ...verdict, repeated, ...(event ? { event } : {}) };
}

function judge(
  body: Buffer,
  { headers }: IncomingMessage,
  secrets: readonly string[],
): { verified?: boolean; reason?: string; event?: Partial<WebhookEvent> } {
  if (secrets.length === 0) return { ...readable(body) };
  try {
    return { verified: true, event: verify(body, headers, secrets) };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { verified: false, reason: `${error.code}: ${error.message}`, ...readable(body) };
  }
}

function readable(body: Buffer): { event?: Partial<WebhookEvent> } {
  try {
    const event: unknown = JSON.parse(body.toString());
    return typeof event === 'object' && event !== null ? { event } : {};
  } catch {
    return {};
  }
}

/** Escapes characters that are not printable, so that a request cannot control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, (sign) => String.raw`\u{${sign.codePointAt(0)?.toString(16)}}`);
}

function shown({ at, path, bytes, verified, reason, repeated, event }: DeliveryView): string {
  const mark = verified === undefined ? '?' : verified ? '✓' : '✗';
  const first = `${mark} ${at.slice(11, 23)}  ${event?.type ?? '(no event)'}  ${event?.id ?? ''}  ${path}  ${bytes} bytes${repeated ? '  (again)' : ''}`;
  const body = event === undefined ? '' : `${JSON.stringify(event, null, 2)}\n`;
  return printable(`${first}\n${reason === undefined ? '' : `  ${reason}\n`}${body}`);
}
