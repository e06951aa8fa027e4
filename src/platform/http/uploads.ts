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

/** A stored file without a row. `mediaType` is the type that the sender declared. */
export type Upload = StoredFile & { fileName: string; mediaType: string };

/** An uploaded file. `received`: the handler has not started. `handled`: the handler is responsible for the file. `dropped`: the file was removed. */
type Received = { upload: Upload; state: 'received' | 'handled' | 'dropped' };
const received = new WeakMap<FastifyRequest, Received>();

const howToSend = 'Send the upload as `multipart/form-data` with one part named `file`.';
const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

function invalid(detail: string) {
  return problems.validation_failed(detail);
}

/** Returns the file of a request. Throws if it is missing. */
export function required(upload: Upload | undefined): Upload {
  if (!upload) throw fileProblems.file_required(howToSend);
  return upload;
}

/**
 * Returns whether an error is the parser error of a broken or interrupted multipart body. These errors have no codes. The “needle” in them is the
 * boundary, which
 * may have up to 252 bytes in the parser (70 in RFC 2046).
 */
export const isBrokenMultipart = (error: unknown): error is Error =>
  error instanceof Error && /multipart|boundary|premature|aborted|unexpected end|part header|needle/i.test(error.message);

/** Rejects a field without a name, because each part of a form needs one (RFC 7578 §4.2), and the parser does not check it. */
export function requireNamed({ fieldname }: { fieldname: string | undefined }): void {
  if (fieldname === undefined) throw new Error('multipart: a field has no name');
}

/** Thrown before any byte of a file is stored. */
class NotAdmitted extends Error {}

function refusal(error: unknown): unknown {
  if (error instanceof NotAdmitted) return error.cause;
  if (error instanceof StorageError && error.reason === 'no_space')
    return fileProblems.storage_full(
      'The file storage is full. No file was stored. Ask the operator to free some space, and upload again later.',
    );
  if (error instanceof StorageError || error instanceof Problem) return error;
  if (error instanceof Error && ('code' in error || isBrokenMultipart(error)))
    return invalid(`The multipart body is broken, incomplete or has too many parts. ${howToSend}`);
  return error;
}

/** The limits and the storage of an upload. */
export type Taking = {
  storage: Storage;
  /**
   * Returns the maximum size of the file. Called when the file part begins, before it is stored; `fields` contains the earlier parts. An error
   * rejects the request.
   */
  maxBytesOf: (request: FastifyRequest, fields: Readonly<Record<string, unknown>>) => number | Promise<number>;
  /** Returns the key for fair sharing of the storage; by default the team or the IP address. Called after `maxBytesOf`. */
  ownerKeyOf?: (request: FastifyRequest, reply: FastifyReply) => string | Promise<string>;
};

/** Stores the part `file`. Rejects a second file or another part name. */
async function keepPart(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  part: MultipartFile,
  taking: Taking,
  fields: Record<string, unknown>,
): Promise<void> {
  // Browsers send an empty file name for an empty file field.
  const none = (part.filename ?? '') === '';
  if (none || part.fieldname !== 'file' || received.has(request)) {
    part.file.resume();
    if (none) return;
    throw part.fieldname === 'file'
      ? invalid(`A request can contain one file, but this request contains two. ${howToSend}`)
      : fileProblems.file_required(`The file part must be named \`file\`. ${howToSend}`);
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
    throw new NotAdmitted('the file is not accepted', { cause: error });
  }
}

/** Returns a safe file name for display and download, which cannot lead to another folder. */
function cleanFileName(name: string): string {
  return Array.from(normalText(name).replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069/\\]/gu, '_'))
    .slice(0, 255)
    .join('')
    .toWellFormed();
}

/** Rejects a `file` member in JSON, which cannot contain files and would be ignored. */
function refuseFileMember(body: unknown): void {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'file')) return;
  const reason = 'is only allowed in multipart/form-data';
  throw problems.validation_failed(`\`file\` ${reason}. ${howToSend}`, {
    errors: [{ name: 'file', pointer: '/file', reason, rule: 'multipart' }],
  });
}

/** Returns the text of a field. The parser has already parsed fields with a JSON content type. */
export const fieldText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type MultipartField = { fieldname: string; value: unknown; fieldnameTruncated: boolean; valueTruncated: boolean };

function checkField(part: MultipartField): void {
  requireNamed(part);
  if (part.fieldname === 'file')
    throw fileProblems.file_required(`The part \`file\` has no file name, so it is a text field. ${howToSend}`);
  if (part.fieldnameTruncated || part.valueTruncated)
    throw invalid('A field of the multipart body is too long. Names can have 100 bytes, values 64 KiB.');
  // A field can contain JSON (`Content-Type: application/json`). The limits of JSON bodies apply.
  if (typeof part.value === 'object' && part.value !== null && depthPast(part.value, maxDepth))
    throw invalid(`A field of the multipart body has more than ${maxDepth} nested levels.`);
}

/**
 * Returns a hook before validation: it streams the part `file` of a multipart body to the storage and makes the other parts the body. The file is
 * removed if the request does not reach its handler; otherwise {@link withUpload} is responsible for it.
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
          request.server.reservePart(request, part.fieldname.length + fieldText(part.value).length);
          fields[part.fieldname] = part.value;
        }
      }
      if (isResponseClosed(reply)) throw new Error('multipart: the client disconnected');
    } catch (error) {
      // Discards the rest of the body, because a client that is still sending would not see the response.
      request.raw.unpipe();
      request.raw.resume();
      await drop();
      throw refusal(error);
    }
    request.body = fields;
  };
}

/**
 * Runs a handler with the uploaded file, and removes the file unless the change was committed. Routes with uploads need `attachValidation`, so that
 * this function rejects an invalid body and removes the file.
 *
 * @param refersTo checks the database for the file if a lost connection leaves the commit unknown
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

/** Stores one of the files of a page form, and removes it unless the work was committed. */
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
 * Runs work that stores a reference to a file, and removes the file unless the work was committed.
 *
 * @param keyOf returns the key of the file, once there is one
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
    // A replayed response refers to the file of the first request, so the repeated file is removed.
    kept = !request.idempotencyReplayed;
    return answer;
  } catch (error) {
    // A file without a document is harmless, but not a document without its file. In doubt the file stays.
    const key = keyOf();
    if (isDatabaseUnavailable(error) && key !== undefined) kept = await refersTo(key).catch(() => true);
    throw error;
  } finally {
    const key = keyOf();
    if (!kept && key !== undefined)
      await storage.remove(key).catch((error: unknown) => request.log.warn({ err: error }, 'an upload could not be removed'));
  }
}
