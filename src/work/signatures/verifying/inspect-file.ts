import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { builtFile } from '../../../platform/entry-points.ts';
import { confined, fed, type Limits } from '../../../platform/reading/sandbox.ts';
import { sandboxCommandOf } from '../../../platform/reading/snapshot.ts';
import { ignoreStreamErrors } from '../../../platform/storage/ignore-stream-errors.ts';
import type { VerifyRequest, Verdict } from './messages.ts';

const usual = { cpuSeconds: 10, wallSeconds: 60, dataMb: 1_200, heapMb: 384 };
/** Limit of the child's output, in bytes. A verdict has at most 50 signatures with two names each. */
const maxAnswered = 256 * 1024;
const script = builtFile(new URL('verify-file.ts', import.meta.url), 'cjs');

/** Thrown if a file needs too much time or memory, or crashes the child process. */
export class TooHard extends Error {}
/** Thrown if the child process got too little CPU time. A retry can succeed. */
export class TooBusy extends Error {}

/**
 * Verifies the signatures of a file in a child process. The process cannot access other files or the network. Ends it when it exceeds the limits.
 * Rejects with {@link TooHard}, or with {@link TooBusy} if a later attempt can succeed.
 */
export async function inspectSignedFile(file: Readable, request: VerifyRequest, limits: Limits = usual): Promise<Verdict> {
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
    if (late) throw new TooBusy(`The file was not verified within ${limits.wallSeconds} s.`);
    if (code !== 0) throw new TooHard(`The verification process ended with code ${code}.`);
    return JSON.parse(answer) as Verdict;
  } finally {
    clearTimeout(timer);
    file.destroy();
    child.kill('SIGKILL');
  }
}
