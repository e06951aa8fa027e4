import type { Readable } from 'node:stream';
import { OutcomeUnknown } from '../database/errors.ts';
import type { Storage, StoredFile } from './storage.ts';

/**
 * Writes a file, then calls `keep` to insert its row, which returns whether a row exists. Removes the file if there is no row. If the
 * commit is unknown, the file stays, and the nightly comparison removes it if it has no row. Throws errors of the storage and of `keep`.
 */
export async function keepFile(
  storage: Pick<Storage, 'write' | 'remove'>,
  { bytes, maxBytes }: { bytes: Readable; maxBytes: number },
  keep: (file: StoredFile) => Promise<boolean>,
): Promise<boolean> {
  const file = await storage.write(bytes, { maxBytes });
  try {
    if (await keep(file)) return true;
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) await storage.remove(file.key);
    throw error;
  }
  await storage.remove(file.key);
  return false;
}

/**
 * Removes the files of rows that `drop` deletes, in batches and after each commit. The order is safe, because a file without a row is harmless, but a
 * row without a file is not.
 */
export async function removeDropped(
  storage: Pick<Storage, 'remove'>,
  drop: () => Promise<readonly { storage_key: string | null }[]>,
): Promise<void> {
  for (let gone = await drop(); gone.length > 0; gone = await drop())
    for (const { storage_key: key } of gone) if (key !== null) await storage.remove(key);
}
