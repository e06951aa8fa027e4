import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { problems } from '../../../platform/problems.ts';
import { readFileName } from '../files/index.ts';
import { type FrontMatter, FrontMatterError, readFrontMatter } from './front-matter.ts';
import { mainFile, most } from './limits.ts';
import { meaning } from './patterns.ts';
import type { FileEntry } from './queries.ts';
import { type Finding, scan } from './scan.ts';
import type { SkillInput } from './schemas.ts';
import { unzip, ZipError } from './zip.ts';

/** A file of a skill. `text` is true for UTF-8 text; agents get only text files. */
export type SkillFile = FileEntry & { content: Buffer };

/** A parsed, validated and scanned skill. Its files are sorted by name. */
export type Bundle = { says: FrontMatter; files: SkillFile[]; findings: Finding[] };

type BundleEntry = { path: string; content: Buffer };

/** Builds the error for an invalid skill. `reason` completes a sentence that begins with the name of the member: `must …`. */
export function skillError(member: string, reason: string) {
  return problems.validation_failed(`\`${member}\` ${reason}.`, {
    errors: [{ name: member, pointer: `/${member}`, reason, rule: 'skill' }],
  });
}

/**
 * Reads a skill from a request: its `SKILL.md`, its files, or a zip archive. Nothing is executed.
 * `content` must not have unknown front matter keys. In `files` and `zip` they are allowed and reported as findings.
 * `team` is the sending team. Throws 400 `validation_failed`.
 */
export async function readBundle(given: SkillInput, team: string): Promise<Bundle> {
  const [member, another] = (['content', 'files', 'zip'] as const).filter((one) => given[one] !== undefined);
  if (member === undefined || another !== undefined)
    throw skillError(another ?? 'content', 'cannot be combined: send exactly one of `content`, `files` and `zip`');
  const bundle = await bundleOf(await filesOf(given), team, member);
  const { name } = bundle.says;
  if (member === 'content') refuseUnknown(bundle.says);
  if (given.name !== undefined && given.name !== name)
    throw skillError('name', `must be \`${name}\`, the name in the front matter of \`${mainFile}\``);
  return bundle;
}

/** Reads a new `SKILL.md` of an existing skill, whose name cannot change. Throws the same errors as {@link readBundle}. */
export async function readMain(
  content: string,
  name: string,
  team: string,
): Promise<{ says: FrontMatter; main: SkillFile; findings: Finding[] }> {
  const main = kept({ path: mainFile, content: encoded(content, 'content') }, 'content');
  const says = frontMatterOf(main, 'content');
  refuseUnknown(says);
  if (says.name !== name) throw skillError('content', `must have the name \`${name}\`: the name of a skill cannot change`);
  return { says, main, findings: await look([main], team) };
}

/** Builds a skill from files. All files may be in one folder with the name of the skill. */
export async function bundleOf(given: readonly BundleEntry[], team: string, member = 'files'): Promise<Bundle> {
  const { files, folder } = withoutFolder(given, member);
  const main = files.find(({ path }) => path === mainFile);
  if (main === undefined) throw skillError(member, `must have a file \`${mainFile}\`, at the top level or in the one folder of the skill`);
  const says = frontMatterOf(main, member);
  if (folder !== undefined && folder !== says.name)
    throw skillError(member, `must have no folder, or the folder \`${says.name}\` with the name of the skill`);
  const unknown = says.unknown.slice(0, 10).map((key): Finding => {
    return { code: 'unknown_key', path: mainFile, message: meaning.unknown_key, excerpt: key.slice(0, 64).toWellFormed() };
  });
  return { says, files, findings: [...unknown, ...(await look(files, team))] };
}

/** Returns the size of all files, and a hash of their names and contents. */
export function summed(files: readonly FileEntry[]): { size: number; hash: string } {
  return {
    size: files.reduce((sum, { size }) => sum + size, 0),
    hash: hash('sha256', JSON.stringify(files.map(({ path, sha256 }) => [path, sha256]))),
  };
}

/** Sorts files by name. */
export const sortByPath = <T extends { path: string }>(files: readonly T[]): T[] =>
  files.toSorted((one, other) => (one.path < other.path ? -1 : 1));

const look = (files: readonly SkillFile[], team: string): Promise<Finding[]> =>
  scan(
    files.map(({ path, text, content }) => ({ path, text: text ? content.toString() : undefined })),
    team,
  );

function refuseUnknown({ unknown: [key] }: FrontMatter): void {
  if (key === undefined) return;
  const keys = 'name, description, license, compatibility, metadata and allowed-tools';
  throw skillError('content', `may have only these keys in its front matter: ${keys}. It has \`${key.slice(0, 64).toWellFormed()}\``);
}

async function filesOf({ content, files, zip }: SkillInput): Promise<BundleEntry[]> {
  if (content !== undefined) return [{ path: mainFile, content: encoded(content, 'content') }];
  if (files !== undefined)
    return files.map(({ path, content: text, encoding }) => ({
      path,
      content: encoding === 'base64' ? decoded(text, 'files') : encoded(text, 'files'),
    }));
  try {
    return await unzip(decoded(zip ?? '', 'zip'));
  } catch (error) {
    throw error instanceof ZipError ? skillError('zip', `must be a valid zip archive: it ${error.message}`) : error;
  }
}

function decoded(text: string, member: string): Buffer {
  if (text.length > (most.allBytes * 4) / 3 + 4) throw skillError(member, 'must have at most 8 MiB');
  try {
    return Buffer.from(Uint8Array.fromBase64(text).buffer);
  } catch {
    throw skillError(member, 'must be encoded as Base64');
  }
}

function encoded(text: string, member: string): Buffer {
  if (text.isWellFormed() && !text.includes('\0')) return Buffer.from(text);
  throw skillError(member, 'must be valid Unicode text without NUL');
}

/** Validates the files: safe and distinct names, and the limits of a skill. Removes the one folder that may contain all files. */
function withoutFolder(given: readonly BundleEntry[], member: string): { files: SkillFile[]; folder: string | undefined } {
  if (given.length > most.files) throw skillError(member, `must have at most ${most.files} files`);
  const [folder] = given.map(({ path }) => path.split('/')).find((parts) => parts.length === 2 && parts[1] === mainFile) ?? [];
  const within = folder !== undefined && given.every(({ path }) => path.startsWith(`${folder}/`)) ? folder : undefined;
  const files = given.map((file) => kept(within === undefined ? file : { ...file, path: file.path.slice(within.length + 1) }, member));
  refuseDoubles(files, member);
  if (summed(files).size > most.allBytes) throw skillError(member, 'must have at most 8 MiB in all');
  return { files: sortByPath(files), folder: within };
}

function refuseDoubles(files: readonly SkillFile[], member: string): void {
  const keys = new Set(files.map(({ path }) => named(path, member).key));
  if (keys.size < files.length) throw skillError(member, 'must have each name once, without regard to case');
  for (const key of keys) {
    const parts = key.split('/');
    if (parts.some((_, at) => at > 0 && keys.has(parts.slice(0, at).join('/'))))
      throw skillError(member, `must not have a file where \`${key}\` needs a folder`);
  }
}

function named(path: string, member: string): { name: string; key: string } {
  const read = readFileName(path);
  if ('key' in read) return read;
  throw skillError(member, `must have valid file names: \`${path.slice(0, 200).toWellFormed()}\` ${read.nameError}`);
}

function kept({ path, content }: BundleEntry, member: string): SkillFile {
  const { name } = named(path, member);
  if (content.length > most.bytes) throw skillError(member, `must have at most 1 MiB in each file: \`${name}\` has more`);
  return { path: name, size: content.length, sha256: hash('sha256', content), text: isUtf8(content) && !content.includes(0), content };
}

function frontMatterOf(main: SkillFile, member: string): FrontMatter {
  if (!main.text) throw skillError(member, `must have a \`${mainFile}\` that is UTF-8 text`);
  try {
    return readFrontMatter(main.content.toString());
  } catch (error) {
    throw error instanceof FrontMatterError ? skillError(member, `must have a valid \`${mainFile}\`: it ${error.message}`) : error;
  }
}
