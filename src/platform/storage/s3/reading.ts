import { Readable } from 'node:stream';
import { StorageError } from '../storage.ts';
import type { S3Answer, S3Client } from './client.ts';

const mostBreaks = 5;

/** The bytes that an answer says it has. Throws for one that does not say, or gives others than were asked for. */
function announced({ status, headers }: S3Answer, start: number | undefined): number {
  const length = Number(headers['content-length']);
  const fits = start === undefined ? status === 200 : status === 206 && String(headers['content-range']).startsWith(`bytes ${start}-`);
  if (!fits || !Number.isSafeInteger(length))
    throw new StorageError('unavailable', 'the store answers with other bytes than were asked for');
  return length;
}

/**
 * A file, or a range of it, as a stream. Where the answer breaks off, the rest is asked for: whoever reads gets all bytes or an error,
 * and never fewer bytes than the store announced.
 */
export async function readObject(client: S3Client, key: string, range?: { start: number; end: number }): Promise<Readable> {
  const ask = (start: number | undefined, end: number | '') =>
    client.send({ method: 'GET', key, headers: start === undefined ? {} : { range: `bytes=${start}-${end}` } });
  let answer = await ask(range?.start, range?.end ?? '');
  let left = announced(answer, range?.start);
  let at = range?.start ?? 0;

  async function* once(): AsyncIterable<Buffer> {
    for await (const chunk of answer.body) {
      at += (chunk as Buffer).length;
      left -= (chunk as Buffer).length;
      if (left < 0) throw new StorageError('unavailable', 'the store sends more bytes than it announced');
      yield chunk as Buffer;
    }
    if (left > 0) throw new Error('the answer broke off');
  }

  async function* bytes(): AsyncIterable<Buffer> {
    for (let breaks = 1; left > 0; breaks += 1) {
      try {
        yield* once();
      } catch (error) {
        // Whoever lets go of the stream has no use for the rest.
        if (stream.destroyed || error instanceof StorageError) throw error;
        if (breaks > mostBreaks) throw new StorageError('unavailable', 'the store breaks off its answers', { cause: error });
        answer = await ask(at, at + left - 1);
        const rest = announced(answer, at);
        if (rest !== left) throw new StorageError('unavailable', 'the store has another length for the same file than before');
      }
    }
  }

  const stream = Readable.from(bytes(), { objectMode: false });
  // One that was never read from has not begun with the answer, and would leave it open.
  stream.once('close', () => answer.body.destroy());
  return stream;
}
