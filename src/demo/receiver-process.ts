import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export type Receiver = { url: string; expect(secret: string): void; lines(): AsyncIterable<string>; stop(): void };

/** The receiver as a process of its own: it gets the endpoint's secret, as any receiver does, and nothing else. */
export async function startReceiver(): Promise<Receiver> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./receiver.ts', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = readLines(child.stdout);
  const first = await lines.next();
  if (first.done) throw new Error('The bundled receiver did not start.');
  return {
    url: first.value,
    expect: (secret) => void child.stdin.write(`${secret}\n`),
    lines: () => lines,
    stop: () => void child.kill(),
  };
}

async function* readLines(stream: NodeJS.ReadableStream): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}
