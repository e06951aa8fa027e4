import { compose, tryFields } from './compose.ts';
import { type Answered, type Asked, framed, unframed } from './messages.ts';
import { Unsealable } from './pdf-sealer.ts';
import { prepare } from './prepare.ts';
import { checkList } from './revocation-list.ts';
import { addValidation } from './validation.ts';

/** Works on one PDF in a process of its own: what is asked and the files come in one run of bytes, its answer with the file it made goes so. */
export async function work(_argument: string, input: Buffer): Promise<Uint8Array> {
  const { message, files } = unframed(input);
  try {
    const { answered, file } = await done(message as Asked, files);
    return framed(answered, [file]);
  } catch (error) {
    if (!(error instanceof Unsealable)) throw error;
    return framed({ refused: error.reason, message: error.message } satisfies Answered, []);
  }
}

async function done(request: Asked, files: Buffer[]): Promise<{ answered: Answered; file: Uint8Array }> {
  const [first = Buffer.alloc(0)] = files;
  if (request.work === 'prepare') return prepare(first, request.fields);
  if (request.work === 'try') return tryFields(files, request);
  if (request.work === 'compose') return compose(files, request);
  if (request.work === 'list') {
    const [, certificate = first, issuer = first] = files;
    const state = checkList(first, { certificate, issuer }, new Date(request.now));
    return { answered: { done: 'list', state }, file: Buffer.alloc(0) };
  }
  return addValidation(files, request);
}
