import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../platform/database/errors.ts';
import { depthPast, maxDepth } from '../platform/http/json-body.ts';
import { Problem, problems } from '../platform/problems.ts';
import { type Storage, StorageError } from '../platform/storage/storage.ts';
import { documentProblems } from './problems.ts';
import type { Upload } from './versions.ts';

/** A file that came with a request: its handler has not begun yet, is answerable for it, or will find it dropped. */
type Received = { upload: Upload; state: 'received' | 'handled' | 'dropped' };
const received = new WeakMap<FastifyRequest, Received>();

const howToSend = 'Send the upload as `multipart/form-data` with one part named `file`.';
const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

function invalid(detail: string) {
  return problems.validation_failed(detail);
}

/** The file that must have come with a request. */
export function required(upload: Upload | undefined): Upload {
  if (!upload) throw documentProblems.file_required(howToSend);
  return upload;
}

function refusal(error: unknown, maxBytes: number): unknown {
  if (error instanceof StorageError && error.reason === 'too_large')
    return problems.payload_too_large(`The file is larger than the ${maxBytes} bytes this service takes.`);
  if (error instanceof StorageError && error.reason === 'no_space')
    return documentProblems.storage_full('There is no room left for files. Nothing was kept; tell the operator, and upload again later.');
  if (error instanceof StorageError || error instanceof Problem) return error;
  if (error instanceof Error && ('code' in error || /multipart|boundary|premature|aborted|unexpected end|part header/i.test(error.message)))
    return invalid(`The multipart body is broken, was cut off or has too many parts. ${howToSend}`);
  return error;
}

/** Keeps the part `file`. A second file, or one under another name, is refused rather than lost in silence. */
async function keepPart(request: FastifyRequest, storage: Storage, part: MultipartFile, maxBytes: number): Promise<void> {
  // What a browser sends for a file field that was left empty.
  const none = (part.filename ?? '') === '';
  if (none || part.fieldname !== 'file' || received.has(request)) {
    part.file.resume();
    if (none) return;
    throw part.fieldname === 'file'
      ? invalid(`One file is taken at a time, and a second came. ${howToSend}`)
      : documentProblems.file_required(`A file came under another name than \`file\`. ${howToSend}`);
  }
  const stored = await storage.write(part.file, { maxBytes });
  const fileName = part.filename
    .normalize('NFC')
    .replaceAll(/[\p{Cc}/\\]/gu, '_')
    .slice(0, 255)
    .toWellFormed();
  received.set(request, {
    state: 'received',
    upload: { ...stored, fileName, mediaType: mediaType.test(part.mimetype) ? part.mimetype : 'application/octet-stream' },
  });
}

/** JSON carries no files: a member of that name would be taken for one, and lost. */
function refuseFileMember(body: unknown): void {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'file')) return;
  const reason = 'is a part of multipart/form-data, and of that alone';
  throw problems.validation_failed(`\`file\` ${reason}. ${howToSend}`, {
    errors: [{ name: 'file', pointer: '/file', reason, rule: 'multipart' }],
  });
}

type Field = { fieldname: string; value: unknown; fieldnameTruncated: boolean; valueTruncated: boolean };

function checkField(part: Field): void {
  if (part.fieldname === 'file')
    throw documentProblems.file_required(`The part \`file\` came without a file name, as a field of text. ${howToSend}`);
  if (part.fieldnameTruncated || part.valueTruncated)
    throw invalid('A field of the multipart body is too long: names take 100 bytes, values 64 KiB.');
  // A field may be JSON of its own (`Content-Type: application/json`): it is bound by what holds for bodies.
  if (typeof part.value === 'object' && part.value !== null && depthPast(part.value, maxDepth))
    throw invalid(`A field of the multipart body nests deeper than ${maxDepth} levels.`);
}

/**
 * Before validation: streams the part `file` of a multipart body into storage and makes the other parts the body. A
 * request that never reaches its handler leaves no file behind; one that does is {@link withUpload}'s.
 */
export function receiveUpload(storage: Storage, maxBytes: number) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.isMultipart()) return refuseFileMember(request.body);
    const drop = async (): Promise<void> => {
      const entry = received.get(request);
      if (entry?.state !== 'received') return;
      entry.state = 'dropped';
      await storage.remove(entry.upload.key);
    };
    // Closes whether it was answered or the client hung up, which a hook after the answer would not hear of.
    reply.raw.once(
      'close',
      () => void drop().catch((error: unknown) => request.log.warn({ err: error }, 'an upload could not be removed')),
    );
    const fields: Record<string, unknown> = {};
    try {
      for await (const part of request.parts()) {
        if (part.type === 'file') await keepPart(request, storage, part, maxBytes);
        else {
          checkField(part);
          fields[part.fieldname] = part.value;
        }
      }
      if (reply.raw.destroyed) throw new Error('multipart: the client hung up');
    } catch (error) {
      // What is left of the body is read and thrown away: a client that is still sending would not see the answer.
      request.raw.unpipe();
      request.raw.resume();
      await drop();
      throw refusal(error, maxBytes);
    }
    request.body = fields;
  };
}

/**
 * Runs a handler with the file that came along, and removes that file unless the handler's change was kept. Routes of
 * it have `attachValidation`, so that a body that does not fit is refused here too.
 *
 * @param refersTo asks the database for the file, for when a lost connection leaves open whether the change was committed
 */
export async function withUpload<T>(
  request: FastifyRequest,
  storage: Storage,
  work: (upload: Upload | undefined) => Promise<T>,
  refersTo: (key: string) => Promise<boolean>,
): Promise<T> {
  const entry = received.get(request);
  if (entry?.state === 'dropped') throw invalid('The connection was closed before the upload was taken. Send it again.');
  if (entry) entry.state = 'handled';
  let kept = false;
  try {
    if (request.validationError) throw request.validationError;
    const answer = await work(entry?.upload);
    // A replay refers to the file of the first request; the one sent again is dropped.
    kept = !request.idempotencyReplayed;
    return answer;
  } catch (error) {
    // A file without a document is harmless, a document without its file is not: in doubt it stays.
    if (entry && isDatabaseUnavailable(error)) kept = await refersTo(entry.upload.key).catch(() => true);
    throw error;
  } finally {
    if (entry && !kept)
      await storage.remove(entry.upload.key).catch((error: unknown) => request.log.warn({ err: error }, 'an upload could not be removed'));
  }
}
