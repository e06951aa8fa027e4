import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { arch, cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { makeFolder } from '../storage/make-folder.ts';

/** The command of a sandboxed process: `node` are the arguments before its own. It needs no file. */
export type SandboxCommand = { node: string[] };

const keptMs = 3 * 86_400_000;

/** The snapshot of each script. */
const making = new Map<string, Promise<string>>();

/**
 * Returns the command for a sandboxed script (`builtFile`). It starts from a snapshot of a process with its code. This needs half the CPU time of a start
 * from the file, and no file access. A snapshot fits one version of Node.js and one processor. It is created at the first use, and stored for later
 * processes in a private folder of this user.
 */
export async function sandboxCommandOf(script: string): Promise<SandboxCommand> {
  const made = await (making.get(script) ?? remake(script));
  // Systems delete old files in temporary folders.
  return { node: ['--snapshot-blob', existsSync(made) ? made : await remake(script)] };
}

function remake(script: string): Promise<string> {
  const made = make(script);
  making.set(script, made);
  // The next use tries again.
  made.catch(() => making.delete(script));
  return made;
}

async function make(script: string): Promise<string> {
  const folder = await ownFolder();
  const name = basename(script, '.cjs');
  const sum = createHash('sha256').update([process.version, arch(), cpus()[0]?.model, script].join());
  const made = join(
    folder,
    `${name}-${sum
      .update(await readFile(script))
      .digest('hex')
      .slice(0, 16)}.blob`,
  );
  if (existsSync(made)) await utimes(made, new Date(), new Date());
  else await build(script, made);
  await removeOld(folder, name);
  return made;
}

async function build(script: string, made: string): Promise<void> {
  const draft = `${made}.${process.pid}`;
  try {
    await promisify(execFile)(process.execPath, ['--snapshot-blob', draft, '--build-snapshot', script], { env: {} });
    await rename(draft, made);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Deletes snapshots of a program that were not used for days, such as those of an earlier version. */
async function removeOld(folder: string, name: string): Promise<void> {
  for (const file of (await readdir(folder)).filter((one) => one.startsWith(`${name}-`))) {
    const path = join(folder, file);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - keptMs) await rm(path, { force: true });
  }
}

/** Returns a folder that only this user can write to, because it contains code. */
async function ownFolder(): Promise<string> {
  const user = process.getuid?.();
  const folder = join(tmpdir(), `chancery-snapshots-${user ?? 'own'}`);
  await makeFolder(folder, 0o700);
  const { uid, mode } = await lstat(folder).then((found) =>
    found.isDirectory() ? found : Promise.reject(new Error(`${folder} is not a folder`)),
  );
  if (user !== undefined && (uid !== user || (mode & 0o077) !== 0)) throw new Error(`${folder} is accessible to other users`);
  return folder;
}
