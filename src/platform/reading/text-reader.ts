import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { askConfined, UnreadFile, type Within } from './sandbox.ts';
import type { TextResponse, TextRequest } from './messages.ts';
import { sandboxCommandOf } from './snapshot.ts';

export type { TextRequest } from './messages.ts';

const script = fileURLToPath(new URL('read-file.ts', import.meta.url));
/** Bytes that an answer may have: a character takes six at most as JSON. */
const answerBytes = (characters: number) => characters * 6 + 1_000;

/**
 * Takes the text of a file of the kind, as many characters as are wanted, in a confined process. Rejects with {@link UnreadFile},
 * and with another error where that failed for a reason that may pass.
 */
export async function readText(file: Readable, request: TextRequest, within: Within = {}): Promise<string> {
  const said = await askConfined(sandboxCommandOf(script), request, { file, maxOutputBytes: answerBytes(request.characters) }, within);
  const answered = JSON.parse(said.toString()) as TextResponse;
  if ('text' in answered) return answered.text;
  throw new UnreadFile(answered.none, `the file is ${answered.none}`);
}
