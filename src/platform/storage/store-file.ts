import type { Readable } from 'node:stream';
import { OutcomeUnknown } from '../database/errors.ts';
import type { Storage, StoredFile } from './storage.ts';

/**
 * Writes a file and then the row that names it, by `keep`, which says whether there is one. A file that no row names is removed; where the
 * commit is in doubt it stays, and is removed by night if no row has it. Errors: those of the storage and of `keep`.
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

/** Removes files whose rows `drop` has removed, some at a time and after its commit: a file without a row is harmless, a row without its file is not. */
export async function removeDropped(
  storage: Pick<Storage, 'remove'>,
  drop: () => Promise<readonly { storage_key: string | null }[]>,
): Promise<void> {
  for (let gone = await drop(); gone.length > 0; gone = await drop())
    for (const { storage_key: key } of gone) if (key !== null) await storage.remove(key);
}
