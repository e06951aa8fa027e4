import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../platform/problems.ts';
import { type Storage, StorageError } from '../platform/storage/storage.ts';
import { documentProblems } from './problems.ts';
import type { Upload } from './service.ts';

const received = new WeakMap<FastifyRequest, { upload: Upload; kept: boolean }>();

/** The file that came with a request, if one did. */
export function uploadOf(request: FastifyRequest): Upload | undefined {
  return received.get(request)?.upload;
}

/** The file that must come with a request. */
export function requiredUpload(request: FastifyRequest): Upload {
  const upload = uploadOf(request);
  if (!upload) throw documentProblems.file_required('Send the upload as `multipart/form-data` with one part named `file`.');
  return upload;
}

/** Says that a document refers to the file now: it stays. */
export function keepUpload(request: FastifyRequest): void {
  const entry = received.get(request);
  if (entry) entry.kept = true;
}

function refusal(error: unknown, maxBytes: number): unknown {
  if (error instanceof StorageError && error.reason === 'too_large')
    return problems.payload_too_large(`The file is larger than the ${maxBytes} bytes this service takes.`);
  if (error instanceof StorageError && error.reason === 'no_space')
    return documentProblems.storage_full('There is no room left for files. Nothing was kept; tell the operator.');
  if (error instanceof Error && ('code' in error || /multipart|boundary|premature|aborted|unexpected end/i.test(error.message))) {
    return problems.validation_failed('The multipart body is broken or was cut off. Send it again, with one part named `file`.');
  }
  return error;
}

/** Keeps the first part `file`; others are read and thrown away. */
async function keepPart(request: FastifyRequest, storage: Storage, part: MultipartFile, maxBytes: number): Promise<void> {
  if (part.fieldname !== 'file' || received.has(request)) {
    part.file.resume();
    return;
  }
  const stored = await storage.write(part.file, { maxBytes });
  const fileName =
    part.filename
      .normalize('NFC')
      .replaceAll(/[\p{Cc}/\\]/gu, '_')
      .slice(0, 255) || 'file';
  received.set(request, {
    kept: false,
    upload: { ...stored, fileName, mediaType: mediaType.test(part.mimetype) ? part.mimetype : 'application/octet-stream' },
  });
}

const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/**
 * Before validation: streams the part `file` of a multipart body into storage and makes the other parts the body. A
 * request that is then refused, or fails, leaves no file behind.
 */
export function receiveUpload(storage: Storage, maxBytes: number) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    if (!request.isMultipart()) return;
    const fields: Record<string, string> = {};
    try {
      for await (const part of request.parts()) {
        if (part.type === 'file') await keepPart(request, storage, part, maxBytes);
        else if (typeof part.value === 'string' && part.fieldname !== '__proto__') fields[part.fieldname] = part.value;
      }
    } catch (error) {
      throw refusal(error, maxBytes);
    }
    request.body = fields;
  };
}

/** After the answer, or when the client is gone: a file that no document refers to is removed. */
export function dropUnkeptUpload(storage: Storage) {
  return async (request: FastifyRequest): Promise<void> => {
    const entry = received.get(request);
    if (entry && !entry.kept) await storage.remove(entry.upload.key);
  };
}
