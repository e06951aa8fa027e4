import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlatformConfig as Config } from './platform/config.ts';
import { ConfigError } from './platform/settings.ts';
import { createDiskStorage } from './platform/storage/disk.ts';
import { S3Refusal } from './platform/storage/s3/client.ts';
import { checkSpool } from './platform/storage/s3/part.ts';
import type { S3Place } from './platform/storage/s3/place.ts';
import { createS3Storage } from './platform/storage/s3/storage.ts';
import type { FileStore, NoteStore } from './platform/storage/storage.ts';

const mebibyte = 1024 * 1024;

export type OpenedStorage = FileStore & NoteStore & { close(): Promise<void> };

/**
 * Opens and checks the file storage. Throws a {@link ConfigError} that names the invalid setting. If a bucket is temporarily unavailable, calls
 * `onError` and continues: requests that need a file then return 503.
 */
export async function openStorage(config: Config, onError: (error: unknown) => void = () => undefined): Promise<OpenedStorage> {
  const { STORAGE_URL: place } = config;
  if (typeof place !== 'object') return openDisk(config, place);
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '', AWS_SESSION_TOKEN: sessionToken } = config;
  const spoolBytes = config.UPLOAD_SPOOL_MIB * mebibyte;
  await checkSpool().catch((error: unknown) => {
    throw new ConfigError(
      `TMPDIR names the folder ${tmpdir()}, which is not writable. Chancery stores parts of uploads to the bucket there.`,
      {
        cause: error,
      },
    );
  });
  const storage = createS3Storage(place, { accessKeyId, secretAccessKey, sessionToken }, { spoolBytes });
  try {
    await storage.probe();
  } catch (error) {
    const refused = refusal(error, place);
    if (refused !== undefined) {
      await storage.close();
      throw new ConfigError(refused, { cause: error });
    }
    onError(error);
  }
  return storage;
}

async function openDisk(config: Config, place: string | undefined): Promise<OpenedStorage> {
  const folder = place ?? join(config.DATA_DIR, 'files');
  // The limit always allows the largest file.
  const halfBytes = Math.max(config.UPLOAD_SPOOL_MIB, 4 * config.MAX_UPLOAD_MB) * mebibyte;
  const storage = await createDiskStorage({ folder, halfBytes }).catch((error: unknown) => {
    const setting = place === undefined ? 'DATA_DIR' : 'STORAGE_URL';
    throw new ConfigError(`${setting} names the folder ${folder}, which cannot be created or written to.`, { cause: error });
  });
  return { ...storage, close: async () => undefined };
}

/** Checks the file storage and returns an error message, also if the storage is only temporarily unavailable. */
export async function storageError(config: Config): Promise<string | undefined> {
  let reason: unknown;
  const storage = await openStorage(config, (error) => (reason = error));
  await storage.close();
  if (!(reason instanceof Error)) return undefined;
  return reason.cause instanceof Error ? `${reason.message}: ${reason.cause.message}` : reason.message;
}

/** Returns an error message if a setting causes the error; undefined if the storage is unavailable or has an internal error. */
function refusal(error: unknown, { bucket, endpoint }: S3Place): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND')
    return `STORAGE_URL names the endpoint ${endpoint}, whose host name cannot be resolved.`;
  if (!(cause instanceof S3Refusal) || cause.status >= 500 || cause.status === 429) return undefined;
  const { code, status } = cause;
  if (code === 'NoSuchBucket' || status === 404)
    return `STORAGE_URL names the bucket ${bucket}, which does not exist at ${endpoint}. Create it first.`;
  if (/^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken)$/.test(code))
    return `AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not valid for the bucket of STORAGE_URL (${code}).`;
  if (code === 'AccessDenied' || status === 403)
    return 'AWS_ACCESS_KEY_ID needs permission to write, read, list and delete objects in the bucket of STORAGE_URL.';
  return `The store of STORAGE_URL rejects this service (${status} ${code}). Check endpoint, region and pathStyle.`;
}
