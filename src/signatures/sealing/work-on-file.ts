import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { type Answered, type Asked, framed, unframed } from './messages.ts';
import { Unsealable } from './port.ts';

/** The process that works on one PDF: what is asked and the files by standard input, its answer with the file it made by standard output. */
const { message, files } = unframed(await buffer(process.stdin));
const asked = message as Asked;

async function work(): Promise<{ answered: Answered; file: Uint8Array }> {
  const [first = Buffer.alloc(0)] = files;
  // Each loads what it needs alone.
  if (asked.work === 'prepare') return (await import('./prepare.ts')).prepare(first, asked.fields);
  if (asked.work === 'compose') return (await import('./compose.ts')).compose(files, asked);
  return (await import('./validation.ts')).addValidation(files, asked);
}

try {
  const { answered, file } = await work();
  process.stdout.write(framed(answered, [file]));
} catch (error) {
  if (!(error instanceof Unsealable)) throw error;
  process.stdout.write(framed({ refused: error.reason, message: error.message } satisfies Answered, []));
}
