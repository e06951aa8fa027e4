import { Readable } from 'node:stream';
import { type ByteRange, StorageError } from '../storage.ts';
import type { S3Answer, S3Client } from './client.ts';

const maxBreaks = 5;

/** Returns whether a response contains the requested range, which can end early at the end of the file. */
function isRange(said: string, { start, end }: ByteRange, length: number): boolean {
  const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(said) ?? [];
  return Number(from) === start && Number(to) === Math.min(end, Number(size) - 1) && length === Number(to) - start + 1;
}

/** Returns the number of bytes in a response. Throws if it is missing or the range is wrong. */
function declaredBytes({ status, headers, body }: S3Answer, range: ByteRange | undefined): number {
  const length = Number(headers['content-length']);
  const fits = range === undefined ? status === 200 : status === 206 && isRange(String(headers['content-range']), range, length);
  if (fits && Number.isSafeInteger(length)) return length;
  body.destroy();
  throw new StorageError('unavailable', 'the store returned different bytes than requested');
}

/**
 * Returns a file, or a range of it, as a stream. If a response ends too early, it requests the rest. The reader gets all bytes or an error, never
 * fewer bytes than announced.
 */
export async function readObject(client: S3Client, key: string, range?: ByteRange): Promise<Readable> {
  const ask = (part: ByteRange | undefined) =>
    client.send({ method: 'GET', key, headers: part === undefined ? {} : { range: `bytes=${part.start}-${part.end}` } });
  let answer = await ask(range);
  let left = declaredBytes(answer, range);
  let at = range?.start ?? 0;

  async function* once(): AsyncIterable<Buffer> {
    for await (const chunk of answer.body) {
      at += (chunk as Buffer).length;
      left -= (chunk as Buffer).length;
      if (left < 0) throw new StorageError('unavailable', 'the store sent more bytes than it announced');
      yield chunk as Buffer;
    }
    if (left > 0) throw new Error('the response ended too early');
  }

  async function* bytes(): AsyncIterable<Buffer> {
    for (let breaks = 1; left > 0; breaks += 1) {
      try {
        yield* once();
      } catch (error) {
        // If the reader has closed the stream, the rest is not needed.
        if (stream.destroyed || error instanceof StorageError) throw error;
        if (breaks > maxBreaks) throw new StorageError('unavailable', 'the responses of the store end too early', { cause: error });
        const part = { start: at, end: at + left - 1 };
        answer = await ask(part);
        const rest = declaredBytes(answer, part);
        if (rest !== left) throw new StorageError('unavailable', 'the store returned a different length for the file than before');
      }
    }
  }

  const stream = Readable.from(bytes(), { objectMode: false });
  // A stream that was never read has not used the response and would leave it open.
  stream.once('close', () => answer.body.destroy());
  return stream;
}
