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

/** What a confined process runs: `node` are the arguments before its own, `mayRead` what it opens of the disk for that. */
export type SandboxCommand = { node: string[]; mayRead: string[] };

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = from('../../../');
const libraries = join(root, 'node_modules');
const keptMs = 3 * 86_400_000;

type Kind = '.blob' | '.mjs';

/** For each script what is made of it, or nothing where that cannot be made here. */
const making = new Map<string, Promise<string | undefined>>();

/**
 * How a script that exports `work` (as `Work` in answer.ts says) is started: from a snapshot of a process that has loaded all of its code.
 * That takes half the processor's time of a start from the source, and reads nothing of the disk. It is made when it is first wanted, and
 * kept for later processes in a folder of this user's alone. Where none can be made, the script runs from its source. `beside` are the
 * folders that it imports from besides its own and this one.
 */
export async function sandboxCommandOf(script: string, beside: readonly string[] = []): Promise<SandboxCommand> {
  const sources = [dirname(script), from('.'), ...beside];
  const snapshot = await madeOf(script, sources, '.blob');
  if (snapshot !== undefined) return { node: ['--snapshot-blob', snapshot], mayRead: [] };
  return fromSource(script, sources);
}

/** How a script that exports `work` is started from its source. */
export function fromSource(script: string, sources: readonly string[]): SandboxCommand {
  return { node: [from('run-script.ts'), script], mayRead: readBy(sources) };
}

/** What a script reads that runs from its source. */
function readBy(sources: readonly string[]): string[] {
  return [...sources, join(root, 'package.json'), libraries];
}

/**
 * A script as one file of JavaScript with all that it imports, save native modules, which no snapshot can hold: it starts without taking types
 * out of its source. Nothing where it cannot be made here.
 */
export function bundleOf(script: string): Promise<string | undefined> {
  return madeOf(script, [dirname(script), from('.')], '.mjs');
}

async function madeOf(script: string, sources: readonly string[], kind: Kind): Promise<string | undefined> {
  const made = await (making.get(script) ?? remake(script, sources, kind));
  // Systems remove what is old from such folders.
  return made === undefined || existsSync(made) ? made : remake(script, sources, kind);
}

function remake(script: string, sources: readonly string[], kind: Kind): Promise<string | undefined> {
  const made = make(script, sources, kind).catch((error: unknown) => {
    process.emitWarning(`${basename(script)} runs from its source, which takes longer: ${String(error)}`);
    return undefined;
  });
  making.set(script, made);
  return made;
}

async function make(script: string, sources: readonly string[], kind: Kind): Promise<string> {
  const folder = await ownFolder();
  const name = basename(script, '.ts');
  const made = join(folder, `${name}-${await stampOf(sources)}${kind}`);
  if (existsSync(made)) await utimes(made, new Date(), new Date());
  else await promisify(execFile)(process.execPath, [from('make-snapshot.ts'), script, made], { env: {}, cwd: root });
  await removeOld(folder, name);
  return made;
}

/** Removes what was made of a script and has not been begun with for days, such as that of an earlier version. */
async function removeOld(folder: string, name: string): Promise<void> {
  for (const file of (await readdir(folder)).filter((one) => one.startsWith(`${name}-`))) {
    const path = join(folder, file);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - keptMs) await rm(path, { force: true });
  }
}

/** A folder for what is made that nobody else writes to: it is code. */
async function ownFolder(): Promise<string> {
  const user = process.getuid?.();
  const folder = join(tmpdir(), `chancery-snapshots-${user ?? 'own'}`);
  await makeFolder(folder, 0o700);
  const { uid, mode } = await lstat(folder).then((found) =>
    found.isDirectory() ? found : Promise.reject(new Error(`${folder} is no folder`)),
  );
  if (user !== undefined && (uid !== user || (mode & 0o077) !== 0)) throw new Error(`${folder} is open to others`);
  return folder;
}

/** Tells apart what was made of other code, by another version of Node.js, for another processor or at another place. */
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
