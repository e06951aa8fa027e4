import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { problems } from '../problems.ts';
import { fileProblems } from './problems.ts';

/** Scans files for viruses. */
export type Scanner = {
  /** Throws 422 `file_infected`, and 503 `unavailable` if the scanner gives no result. */
  requireClean(file: Readable): Promise<void>;
};

/** The address of clamd: a host and port, or the path of a socket. */
export type ScannerAddress = { host: string; port: number } | { path: string };

const longestMs = 60_000;
const maxAnswer = 4_096;
const clean = 'stream: OK';

/** Creates a scanner that sends files to clamd with the INSTREAM command: in chunks with a length prefix, then an empty chunk. */
export function clamdScanner(address: ScannerAddress, onError: (error: unknown) => void): Scanner {
  return {
    async requireClean(file) {
      const answer = await ask(address, file).catch((error: unknown) => {
        onError(error);
        return '';
      });
      if (answer === clean) return;
      const [, signature] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
      if (signature !== undefined)
        throw fileProblems.file_infected(`The virus scanner found ${signature} in the file. The file was not stored.`, {
          members: { signature },
        });
      if (answer !== '') onError(new Error(`clamd answered: ${answer}`));
      throw problems.unavailable('The virus scanner is unavailable, and files are not accepted without it. Send the file again later.', {
        headers: { 'retry-after': '30' },
      });
    },
  };
}

async function ask(address: ScannerAddress, file: Readable): Promise<string> {
  const socket = connect(address);
  const over = new AbortController();
  try {
    return await Promise.race([converse(socket, file), tooLong(over.signal)]);
  } finally {
    over.abort();
    socket.destroy();
    file.destroy();
  }
}

async function tooLong(signal: AbortSignal): Promise<never> {
  await wait(longestMs, undefined, { signal });
  throw new Error(`clamd did not respond within ${longestMs / 1_000} seconds`);
}

async function converse(socket: Socket, file: Readable): Promise<string> {
  const answer = answerOf(socket);
  let isSent = false;
  const sent = send(socket, file).then(
    () => (isSent = true),
    (error: Error) => void socket.destroy(error),
  );
  // clamd can respond and close the connection before it has the whole file. The response counts, unless it declares an incomplete file clean.
  await Promise.race([answer, sent]);
  const said = await answer;
  if (said === clean && !isSent) throw new Error('clamd responded before it had the whole file');
  return said;
}

async function send(socket: Socket, file: Readable): Promise<void> {
  socket.write('zINSTREAM\0');
  const length = Buffer.alloc(4);
  for await (const chunk of file) {
    // A zero length marks the end.
    if ((chunk as Buffer).length === 0) continue;
    length.writeUInt32BE((chunk as Buffer).length);
    socket.write(Buffer.from(length));
    if (!socket.write(chunk as Buffer)) await once(socket, 'drain', { signal: AbortSignal.timeout(longestMs) });
  }
  socket.write(Buffer.alloc(4));
}

/** Returns the response, which ends with a zero byte. An incomplete response could be misread as the opposite result. */
async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1');
    if (text.includes('\0') || text.length > maxAnswer) break;
  }
  const end = text.indexOf('\0');
  if (end === -1 && text !== '') throw new Error('the response of clamd is incomplete');
  if (end + 1 < text.length) throw new Error('clamd sent more than one response');
  return text.slice(0, Math.max(0, end)).trim();
}
