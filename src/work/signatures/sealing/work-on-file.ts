import { compose, tryFields } from './compose.ts';
import { type SealingOutput, type SealingResponse, type SealingRequest, framed, parseFramed } from './messages.ts';
import { Unsealable } from './pdf-sealer.ts';
import { prepare } from './prepare.ts';
import { checkList } from './revocation-list.ts';
import { addValidation } from './validation.ts';

/** Works on one PDF in a child process. Input and output are a framed message with files. */
export async function work(_argument: string, input: Buffer): Promise<Uint8Array> {
  const { message, files } = parseFramed(input);
  try {
    const { response, file } = await done(message as SealingRequest, files);
    return framed(response, [file]);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    return framed({ refused: error.reason, message: error.message } satisfies SealingResponse, []);
  }
}

async function done(request: SealingRequest, files: Buffer[]): Promise<SealingOutput> {
  const [first = Buffer.alloc(0)] = files;
  if (request.work === 'prepare') return prepare(first, request.fields);
  if (request.work === 'try') return tryFields(files, request);
  if (request.work === 'compose') return compose(files, request);
  if (request.work === 'list') {
    const [, certificate = first, issuer = first] = files;
    const state = checkList(first, { certificate, issuer }, new Date(request.now));
    return { response: { done: 'list', state }, file: Buffer.alloc(0) };
  }
  return addValidation(files, request);
}
