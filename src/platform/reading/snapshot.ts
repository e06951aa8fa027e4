import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { arch, cpus, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a confined process runs: `node` are the arguments before its own, `mayRead` what it opens of the disk for that. */
export type Program = { node: string[]; mayRead: string[] };

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = from('../../../');
const libraries = join(root, 'node_modules');
/** For each script the snapshot that is made of it, or nothing where none can be made here. */
const making = new Map<string, Promise<string | undefined>>();

/**
 * How a script that exports `work` (as `Work` in answer.ts says) is started: from a snapshot of a process that has loaded all of its code.
 * That takes half the processor's time of a start from the source, and reads nothing of the disk. It is made when it is first wanted, and
 * kept for later processes in a folder of this user's alone. Where none can be made, the script runs from its source. `beside` are the
 * folders that it imports from besides its own and this one.
 */
export async function programOf(script: string, beside: readonly string[] = []): Promise<Program> {
  const sources = [dirname(script), from('.'), ...beside];
  let snapshot = await (making.get(script) ?? remake(script, sources));
  // Systems remove what is old from such folders.
  if (snapshot !== undefined && !existsSync(snapshot)) snapshot = await remake(script, sources);
  if (snapshot !== undefined) return { node: ['--snapshot-blob', snapshot], mayRead: [] };
  return fromSource(script, sources);
}

/** How a script that exports `work` is started from its source. */
export function fromSource(script: string, sources: readonly string[]): Program {
  return { node: [from('run-script.ts'), script], mayRead: readBy(sources) };
}

/** How a script that does its work by itself is started from its source. */
export function runsAsIs(script: string): Program {
  return { node: [script], mayRead: readBy([dirname(script)]) };
}

/** What a script reads that runs from its source. */
function readBy(sources: readonly string[]): string[] {
  return [...sources, join(root, 'package.json'), libraries];
}

function remake(script: string, sources: readonly string[]): Promise<string | undefined> {
  const snapshot = make(script, sources).catch((error: unknown) => {
    process.emitWarning(`${basename(script)} runs from its source, which takes longer: ${String(error)}`);
    return undefined;
  });
  making.set(script, snapshot);
  return snapshot;
}

async function make(script: string, sources: readonly string[]): Promise<string> {
  const folder = await ownFolder();
  const snapshot = join(folder, `${basename(script, '.ts')}-${await stampOf(sources)}.blob`);
  if (!existsSync(snapshot))
    await promisify(execFile)(process.execPath, [from('make-snapshot.ts'), script, snapshot], { env: {}, cwd: root });
  return snapshot;
}

/** A folder for snapshots that nobody else writes to: they are code. */
async function ownFolder(): Promise<string> {
  const user = process.getuid?.();
  const folder = join(tmpdir(), `chancery-snapshots-${user ?? 'own'}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder).then((found) =>
    found.isDirectory() ? found : Promise.reject(new Error(`${folder} is no folder`)),
  );
  if (user !== undefined && (uid !== user || (mode & 0o077) !== 0)) throw new Error(`${folder} is open to others`);
  return folder;
}

/** Tells snapshots apart that were made of other code, by another version of Node.js or for another processor. */
async function stampOf(sources: readonly string[]): Promise<string> {
  const sum = createHash('sha256').update([process.version, arch(), cpus()[0]?.model].join());
  const files = await Promise.all(sources.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))));
  const installed = join(libraries, '.package-lock.json');
  for (const file of [
    ...files.flat().filter((name) => /(?<!\.test)\.ts$/.test(name)),
    existsSync(installed) ? installed : join(root, 'package.json'),
  ])
    sum.update(await readFile(file));
  return sum.digest('hex').slice(0, 16);
}
