import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns whether the embedded database of a data directory exists, in this directory, or at the location that a file in the directory names. */
export async function isEmbeddedDatabaseMade(dataDir: string): Promise<boolean> {
  const elsewhere = (await readFile(join(dataDir, 'postgres.location'), 'utf8').catch(() => '')).trim();
  const clusters = [dataDir, ...(elsewhere === '' ? [] : [elsewhere])].map((home) => join(home, 'postgres'));
  const found = await Promise.all(clusters.map((cluster) => readdir(cluster).catch((): string[] => [])));
  return found.some((files) => files.length > 0);
}
