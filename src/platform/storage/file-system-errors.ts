import { StorageError } from './storage.ts';

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

// Errors of the file system itself; those of the stream that is written have other codes.
const full = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const unusable = ['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOENT', 'ENOTDIR', 'EMFILE', 'ENFILE', 'ENODEV', 'ENXIO', 'ESTALE'];

/** The error as callers tell it apart; what is none of the file system's stays what it is. */
export function storageError(error: unknown): unknown {
  if (hasCode(error, ...full)) return new StorageError('no_space', 'there is no room left for files', { cause: error });
  if (hasCode(error, ...unusable)) return new StorageError('unavailable', 'the folder of files cannot be used', { cause: error });
  return error;
}
