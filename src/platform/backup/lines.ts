import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Yields the lines of a UTF-8 stream without their ends. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const escaped: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Parses one line of the text format of COPY. */
export const copiedValues = (line: string): (string | null)[] =>
  line
    .split('\t')
    .map((value) => (value === String.raw`\N` ? null : value.replaceAll(/\\(.)/gs, (_, letter: string) => escaped[letter] ?? letter)));
