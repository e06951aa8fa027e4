import { StorageError } from './storage.ts';

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

// Errors of the file system. Errors of the written stream have other codes.
const full = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const unusable = ['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EMFILE', 'ENFILE', 'ENODEV', 'ENXIO', 'ESTALE'];

/** Converts a file system error to a storage error; returns other errors unchanged. */
export function storageError(error: unknown): unknown {
  if (hasCode(error, ...full)) return new StorageError('no_space', 'the file storage is full', { cause: error });
  if (hasCode(error, ...unusable)) return new StorageError('unavailable', 'the folder for files cannot be used', { cause: error });
  return error;
}
