/**
 * A webhook receiver like that of a customer. It verifies the signature of the raw body, responds 204, and prints one
 * line of JSON for each delivery. It reads the secrets of its endpoints from standard input.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import process from 'node:process';
import { verify } from '@chancery/webhooks';

const secrets = new Set<string>();
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  for (const secret of text.split('\n')) if (secret !== '') secrets.add(secret);
});
// The receiver ends with its parent process.
process.stdin.on('end', () => process.exit(0));
// Ctrl-C also reaches the parent process. The parent first finishes its deliveries and then ends the receiver.
process.on('SIGINT', () => undefined);

function isProven(body: Buffer, headers: IncomingHttpHeaders): boolean {
  try {
    verify(body, headers, [...secrets]);
    return true;
  } catch {
    return false;
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const verified = isProven(body, request.headers);
    response.writeHead(verified ? 204 : 401).end();
    const { id, type } = JSON.parse(body.toString()) as { id: string; type: string };
    process.stdout.write(`${JSON.stringify({ verified, id, type })}\n`);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}/hook\n`);
});
