import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './file-system-errors.ts';

/**
 * Makes a folder and the missing ones above it. Returns the topmost that it made, or nothing where the folder was there. The recursive
 * `mkdir` of Node.js never ends below a folder that exists and takes none, such as `/proc`.
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
  // Another process may have made it in between. A folder that takes none fails here for the second time.
  await mkdir(path, mode).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  return made ?? path;
}
