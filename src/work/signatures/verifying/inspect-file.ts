import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { confined, fed, type Limits } from '../../../platform/reading/sandbox.ts';
import { sandboxCommandOf } from '../../../platform/reading/snapshot.ts';
import { ignoreStreamErrors } from '../../../platform/storage/ignore-stream-errors.ts';
import type { VerifyRequest, Verdict } from './messages.ts';

const usual = { cpuSeconds: 10, wallSeconds: 60, dataMb: 1_200, heapMb: 384 };
/** An answer names fifty signatures, each by two names. */
const maxAnswered = 256 * 1024;
const script = fileURLToPath(new URL('verify-file.ts', import.meta.url));

/** A file that took too much time or memory, or that what looks at it cannot bear. */
export class TooHard extends Error {}
/** A file that had less of the processor than it may: another time it may have it. */
export class TooBusy extends Error {}

/**
 * What is known of the signatures of a file, found out in a process of its own that sees no other file, reaches no network and ends
 * when it takes too long or too much. Rejects with {@link TooHard}, or with
 * {@link TooBusy} where a further try may do.
 */
export async function lookAtFile(file: Readable, request: VerifyRequest, limits: Limits = usual): Promise<Verdict> {
  ignoreStreamErrors(file);
  const [command = '', ...args] = confined(await sandboxCommandOf(script), '', limits);
  const child = spawn(command, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, limits.wallSeconds * 1_000);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    const said = new Promise<string>((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxAnswered) child.kill('SIGKILL');
        else chunks.push(chunk);
      });
      child.stdout.once('close', () => resolve(Buffer.concat(chunks).toString()));
    });
    const [code, answer] = await Promise.all([ended, said, fed(child, file, `${JSON.stringify(request)}\n`)]);
    if (late) throw new TooBusy(`a file was not looked at within ${limits.wallSeconds} s`);
    if (code !== 0) throw new TooHard(`what looks at a file ended with ${code}`);
    return JSON.parse(answer) as Verdict;
  } finally {
    clearTimeout(timer);
    file.destroy();
    child.kill('SIGKILL');
  }
}
