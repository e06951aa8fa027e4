/** A webhook receiver: verifies deliveries, handles each event once, and prints a line for it. */
import { createServer, type Server } from 'node:http';
import process from 'node:process';
import { verify, WebhookVerificationError } from '@chancery/webhooks';

type Hear = (event: { id: string; type: string }) => void;

export function startReceiver(port: number, secretOf: () => string, hear: Hear): Server {
  const seen = new Set<string>(); // In production: a table with a unique key.
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      const event = verify(Buffer.concat(chunks), request.headers, secretOf());
      if (!seen.has(event.id)) hear(event);
      seen.add(event.id);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
    }
  }).listen(port, '127.0.0.1');
}

if (import.meta.main) {
  const { WEBHOOK_SECRET = '', RECEIVER_PORT = '8787' } = process.env;
  startReceiver(
    Number(RECEIVER_PORT),
    () => WEBHOOK_SECRET,
    ({ type }) => void process.stdout.write(`verified ${type}\n`),
  );
}
