import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../database/errors.ts';
import { senderOf } from './client-ip.ts';
import { depthPast, maxDepth } from './json-body.ts';
import { Problem, problems } from '../problems.ts';
import { fileProblems } from '../storage/problems.ts';
import { type Storage, StorageError, type StoredFile } from '../storage/storage.ts';
import { isResponseClosed, onResponseClose } from './on-response-close.ts';
import { normalText } from '../text.ts';

/** A file that storage has taken and no row refers to yet. `mediaType` is what the sender says it is. */
export type Upload = StoredFile & { fileName: string; mediaType: string };

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
  if (!upload) throw fileProblems.file_required(howToSend);
  return upload;
}

/**
 * Whether an error is what the parser says of a multipart body that is broken, or cut off. It gives no codes; its “needle” is the boundary, which it
 * takes up to 252 bytes of (RFC 2046 allows 70).
 */
export const isBrokenMultipart = (error: unknown): error is Error =>
  error instanceof Error && /multipart|boundary|premature|aborted|unexpected end|part header|needle/i.test(error.message);

/** Refuses, as broken, a field without a name: each part of a form has one (RFC 7578 §4.2), and the parser does not look. */
export function requireNamed({ fieldname }: { fieldname: string | undefined }): void {
  if (fieldname === undefined) throw new Error('multipart: a field has no name');
}

/** Why a file is not even begun with. */
class NotAdmitted extends Error {}

function refusal(error: unknown): unknown {
  if (error instanceof NotAdmitted) return error.cause;
  if (error instanceof StorageError && error.reason === 'no_space')
    return fileProblems.storage_full('There is no room left for files. Nothing was kept; tell the operator, and upload again later.');
  if (error instanceof StorageError || error instanceof Problem) return error;
  if (error instanceof Error && ('code' in error || isBrokenMultipart(error)))
    return invalid(`The multipart body is broken, was cut off or has too many parts. ${howToSend}`);
  return error;
}

/** What a file of a request is taken by. */
export type Taking = {
  storage: Storage;
  /**
   * How large the file may be. Asked when the file comes, before anything of it is kept; `fields` came before it. What this throws
   * refuses the request.
   */
  maxBytesOf: (request: FastifyRequest, fields: Readonly<Record<string, unknown>>) => number | Promise<number>;
  /** Who shares the way to the storage with others; by default the team of whoever sends, or their address. Asked after `mostBytes`. */
  ownerKeyOf?: (request: FastifyRequest, reply: FastifyReply) => string | Promise<string>;
};

/** Keeps the part `file`. A second file, or one under another name, is refused rather than lost in silence. */
async function keepPart(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  part: MultipartFile,
  taking: Taking,
  fields: Record<string, unknown>,
): Promise<void> {
  // What a browser sends for a file field that was left empty.
  const none = (part.filename ?? '') === '';
  if (none || part.fieldname !== 'file' || received.has(request)) {
    part.file.resume();
    if (none) return;
    throw part.fieldname === 'file'
      ? invalid(`A request can have one file, and this one has two. ${howToSend}`)
      : fileProblems.file_required(`A file came under another name than \`file\`. ${howToSend}`);
  }
  const maxBytes = await maxOf(request, taking, fields);
  const ownerKey = await (taking.ownerKeyOf ?? senderOf)(request, reply);
  received.set(request, { state: 'received', upload: await written(request, part, { storage: taking.storage, maxBytes, ownerKey }) });
}

async function written(
  { headers }: FastifyRequest,
  part: MultipartFile,
  { storage, maxBytes, ownerKey }: { storage: Storage; maxBytes: number; ownerKey: string },
): Promise<Upload> {
  const declaredBytes = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  const stored = await storage.write(part.file, { maxBytes, ownerKey, declaredBytes }).catch((error: unknown) => {
    throw error instanceof StorageError && error.reason === 'too_large'
      ? problems.payload_too_large(`The file is larger than the maximum of ${maxBytes} bytes. Send a smaller one.`)
      : error;
  });
  return {
    ...stored,
    fileName: cleanFileName(part.filename),
    mediaType: mediaType.test(part.mimetype) ? part.mimetype : 'application/octet-stream',
  };
}

async function maxOf(request: FastifyRequest, { maxBytesOf }: Taking, fields: Record<string, unknown>): Promise<number> {
  try {
    return await maxBytesOf(request, fields);
  } catch (error) {
    throw new NotAdmitted('the file is not taken', { cause: error });
  }
}

/** A name as it is kept: one that is shown and downloaded under, and leads to no other folder. */
function cleanFileName(name: string): string {
  return Array.from(normalText(name).replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069/\\]/gu, '_'))
    .slice(0, 255)
    .join('')
    .toWellFormed();
}

/** JSON carries no files: a member of that name would be taken for one, and lost. */
function refuseFileMember(body: unknown): void {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'file')) return;
  const reason = 'is a part of multipart/form-data, and of that alone';
  throw problems.validation_failed(`\`file\` ${reason}. ${howToSend}`, {
    errors: [{ name: 'file', pointer: '/file', reason, rule: 'multipart' }],
  });
}

/** The text of a field as it came: one that says that it is JSON has been read by then. */
export const fieldText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Field = { fieldname: string; value: unknown; fieldnameTruncated: boolean; valueTruncated: boolean };

function checkField(part: Field): void {
  requireNamed(part);
  if (part.fieldname === 'file')
    throw fileProblems.file_required(`The part \`file\` came without a file name, as a field of text. ${howToSend}`);
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
export function receiveUpload(taking: Taking) {
  const { storage } = taking;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.isMultipart()) return refuseFileMember(request.body);
    const drop = async (): Promise<void> => {
      const entry = received.get(request);
      if (entry?.state !== 'received') return;
      entry.state = 'dropped';
      await storage.remove(entry.upload.key);
    };
    onResponseClose(reply, () => void drop().catch((error: unknown) => request.log.warn({ err: error }, 'an upload could not be removed')));
    const fields: Record<string, unknown> = {};
    try {
      for await (const part of request.parts()) {
        if (part.type === 'file') await keepPart({ request, reply }, part, taking, fields);
        else {
          checkField(part);
          request.server.holdPart(request, part.fieldname.length + fieldText(part.value).length);
          fields[part.fieldname] = part.value;
        }
      }
      if (isResponseClosed(reply)) throw new Error('multipart: the client hung up');
    } catch (error) {
      // What is left of the body is read and thrown away: a client that is still sending would not see the answer.
      request.raw.unpipe();
      request.raw.resume();
      await drop();
      throw refusal(error);
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
  if (entry?.state === 'dropped') throw invalid('The connection was closed before the upload was complete. Send it again.');
  if (entry) entry.state = 'handled';
  if (!entry) return work(checked(request, undefined));
  return keepingFile(
    request,
    storage,
    () => entry.upload.key,
    () => work(checked(request, entry.upload)),
    refersTo,
  );
}

function checked<T>(request: FastifyRequest, upload: T): T {
  if (request.validationError) throw request.validationError;
  return upload;
}

/** Keeps one of the files of a form that a page sends, and removes it unless what is done with it was kept. */
export async function withFile<T>(
  request: FastifyRequest,
  bounds: { storage: Storage; maxBytes: number; ownerKey: string },
  part: MultipartFile,
  work: (upload: Upload) => Promise<T>,
  refersTo: (key: string) => Promise<boolean>,
): Promise<T> {
  const upload = await written(request, part, bounds).catch((error: unknown) => {
    throw refusal(error);
  });
  return keepingFile(
    request,
    bounds.storage,
    () => upload.key,
    () => work(upload),
    refersTo,
  );
}

/**
 * Does what is to refer to a file, and removes the file unless that was kept.
 *
 * @param keyOf which file, once there is one
 */
export async function keepingFile<T>(
  request: FastifyRequest,
  storage: Storage,
  keyOf: () => string | undefined,
  work: () => Promise<T>,
  refersTo: (key: string) => Promise<boolean>,
): Promise<T> {
  let kept = false;
  try {
    const answer = await work();
    // A replay refers to the file of the first request; the one sent again is dropped.
    kept = !request.idempotencyReplayed;
    return answer;
  } catch (error) {
    // A file without a document is harmless, a document without its file is not: in doubt it stays.
    const key = keyOf();
    if (isDatabaseUnavailable(error) && key !== undefined) kept = await refersTo(key).catch(() => true);
    throw error;
  } finally {
    const key = keyOf();
    if (!kept && key !== undefined)
      await storage.remove(key).catch((error: unknown) => request.log.warn({ err: error }, 'an upload could not be removed'));
  }
}
