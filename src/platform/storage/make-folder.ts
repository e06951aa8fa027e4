import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './file-system-errors.ts';

/**
 * Creates a folder and its missing parents. Returns the topmost new folder, or undefined if the folder exists. The recursive
 * `mkdir` of Node.js hangs below a folder that accepts no subfolders, such as `/proc`.
 */
export async function makeFolder(path: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(path, mode);
    return path;
  } catch (error) {
    if (hasCode(error, 'EEXIST') && (await stat(path)).isDirectory()) return undefined;
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
  }
  const made = await makeFolder(dirname(path), mode);
  // Another process may have created it. A folder that accepts no subfolders fails here again.
  await mkdir(path, mode).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  return made ?? path;
}
