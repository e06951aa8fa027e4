import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether the embedded database of a data directory was made: there, or where the directory says that it is kept. */
export async function isEmbeddedDatabaseMade(dataDir: string): Promise<boolean> {
  const elsewhere = (await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => '')).trim();
  const found = await Promise.all(
    [dataDir, elsewhere].map((home) => (home === '' ? [] : readdir(join(home, 'postgres')).catch((): string[] => []))),
  );
  return found.some((files) => files.length > 0);
}
