import { spawn } from 'node:child_process';
import process from 'node:process';
import { builtFile } from '../../platform/entry-points.ts';

/** One delivery in the output of the receiver. */
export type Delivered = { verified: boolean; id: string; type: string };

/** The bundled receiver. It runs in a separate process and gets only the secrets of its endpoints. */
export type Receiver = {
  url: string;
  /** All deliveries so far. */
  received: readonly Delivered[];
  /** Passes the secret of an endpoint to the receiver. */
  expect(secret: string): void;
  /** Registers a callback for each later delivery. */
  onDelivery(heard: (delivery: Delivered) => void): void;
  stop(): void;
};

/** Starts the receiver and waits until it listens. */
export async function startReceiver(): Promise<Receiver> {
  const child = spawn(process.execPath, [builtFile(new URL('./receiver.ts', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = readLines(child.stdout);
  const first = await lines.next();
  if (first.done) throw new Error('The bundled receiver did not start.');
  const received: Delivered[] = [];
  let deliver: (delivery: Delivered) => void = () => undefined;
  void (async () => {
    for await (const line of lines) {
      const delivery = JSON.parse(line) as Delivered;
      received.push(delivery);
      deliver(delivery);
    }
  })();
  return {
    url: first.value,
    received,
    expect: (secret) => void child.stdin.write(`${secret}\n`),
    onDelivery: (callback) => {
      deliver = callback;
    },
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
