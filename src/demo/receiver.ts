/**
 * A webhook receiver as a customer would write one: it keeps the raw body, verifies the signature over it, answers 204,
 * and prints one line of JSON for each delivery. It learns the endpoint's secret from standard input.
 */
import { createServer } from 'node:http';
import process from 'node:process';
import { verifyDelivery } from '../webhooks/signature.ts';

let secret: string | undefined;
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  secret = text.trim();
});
// When the parent is gone, so is the receiver.
process.stdin.on('end', () => process.exit(0));

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const verified = secret !== undefined && verifyDelivery({ headers: request.headers, body, secret });
    response.writeHead(verified ? 204 : 401).end();
    const event = JSON.parse(body.toString()) as { id: string; type: string; data: { taskId?: string } };
    process.stdout.write(`${JSON.stringify({ verified, id: event.id, type: event.type, taskId: event.data.taskId })}\n`);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}/hook\n`);
});
