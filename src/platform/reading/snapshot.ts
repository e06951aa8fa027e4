import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { arch, cpus, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeFolder } from '../storage/make-folder.ts';

/** The command of a sandboxed process: `node` are the arguments before its own, `mayRead` the paths that it needs to read. */
export type SandboxCommand = { node: string[]; mayRead: string[] };

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = from('../../../');
const libraries = join(root, 'node_modules');
const keptMs = 3 * 86_400_000;

type SnapshotExtension = '.blob' | '.mjs';

/** The file that was created for each script; undefined if that failed. */
const making = new Map<string, Promise<string | undefined>>();

/**
 * Returns the command for a script that exports `work` (type `Work` in answer.ts). It starts from a snapshot of a process with its code. This needs
 * half the CPU time of a start from the source, and no file access. The snapshot is created at the first use and stored for later processes in a
 * private folder of this user. Without a snapshot, the script runs from its source. `beside` are the additional folders that it imports from.
 */
export async function sandboxCommandOf(script: string, beside: readonly string[] = []): Promise<SandboxCommand> {
  const sources = [dirname(script), from('.'), ...beside];
  const snapshot = await madeOf(script, sources, '.blob');
  if (snapshot !== undefined) return { node: ['--snapshot-blob', snapshot], mayRead: [] };
  return fromSource(script, sources);
}

/** Returns the command that starts such a script from its source. */
export function fromSource(script: string, sources: readonly string[]): SandboxCommand {
  return { node: [from('run-script.ts'), script], mayRead: readBy(sources) };
}

/** Returns the paths that a script reads if it runs from its source. */
function readBy(sources: readonly string[]): string[] {
  return [...sources, join(root, 'package.json'), libraries];
}

/**
 * Bundles a script into one JavaScript file, except native modules, which a snapshot cannot contain. It starts without stripping
 * types. Returns undefined if that fails.
 */
export function bundleOf(script: string): Promise<string | undefined> {
  return madeOf(script, [dirname(script), from('.')], '.mjs');
}

async function madeOf(script: string, sources: readonly string[], kind: SnapshotExtension): Promise<string | undefined> {
  const made = await (making.get(script) ?? remake(script, sources, kind));
  // Systems delete old files in temporary folders.
  return made === undefined || existsSync(made) ? made : remake(script, sources, kind);
}

function remake(script: string, sources: readonly string[], kind: SnapshotExtension): Promise<string | undefined> {
  const made = make(script, sources, kind).catch((error: unknown) => {
    process.emitWarning(`${basename(script)} runs from its source, which takes longer: ${String(error)}`);
    return undefined;
  });
  making.set(script, made);
  return made;
}

async function make(script: string, sources: readonly string[], kind: SnapshotExtension): Promise<string> {
  const folder = await ownFolder();
  const name = basename(script, '.ts');
  const made = join(folder, `${name}-${await stampOf(sources)}${kind}`);
  if (existsSync(made)) await utimes(made, new Date(), new Date());
  else await promisify(execFile)(process.execPath, [from('make-snapshot.ts'), script, made], { env: {}, cwd: root });
  await removeOld(folder, name);
  return made;
}

/** Deletes files of a script that were not used for days, such as those of an earlier version. */
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

/** Returns a hash of the code, the Node.js version, the processor and the location. */
async function stampOf(sources: readonly string[]): Promise<string> {
  const sum = createHash('sha256').update([process.version, arch(), cpus()[0]?.model, root].join());
  const files = await Promise.all(sources.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))));
  const installed = join(libraries, '.package-lock.json');
  for (const file of [
    ...files.flat().filter((name) => /(?<!\.test)\.ts$/.test(name)),
    existsSync(installed) ? installed : join(root, 'package.json'),
  ])
    sum.update(await readFile(file));
  return sum.digest('hex').slice(0, 16);
}
