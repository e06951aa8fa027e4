import type { Readable } from 'node:stream';
import { builtFile } from '../entry-points.ts';
import { askConfined, UnreadFile, type Within } from './sandbox.ts';
import type { TextResponse, TextRequest } from './messages.ts';
import { sandboxCommandOf } from './snapshot.ts';

export type { TextRequest } from './messages.ts';

const script = builtFile(new URL('read-file.ts', import.meta.url), 'cjs');
/** Maximum size of the response in bytes: a character takes at most six in JSON. */
const answerBytes = (characters: number) => characters * 6 + 1_000;

/**
 * Reads the text of a file, up to the requested length, in a sandboxed process. Throws {@link UnreadFile},
 * or another error if a retry can succeed.
 */
export async function readText(file: Readable, request: TextRequest, within: Within = {}): Promise<string> {
  const said = await askConfined(sandboxCommandOf(script), request, { file, maxOutputBytes: answerBytes(request.characters) }, within);
  const answered = JSON.parse(said.toString()) as TextResponse;
  if ('text' in answered) return answered.text;
  throw new UnreadFile(answered.none, `the file is ${answered.none}`);
}
