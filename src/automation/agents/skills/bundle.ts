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

/** A file of a skill. `text` says that it is text in UTF-8, which alone an agent is given. */
export type SkillFile = FileEntry & { content: Buffer };

/** A skill that has been read, checked and looked through: what is kept of it. Its files are in the order of their names. */
export type Bundle = { says: FrontMatter; files: SkillFile[]; findings: Finding[] };

type BundleEntry = { path: string; content: Buffer };

/** A request that a skill cannot be read from: what the member `must …`. */
export function skillError(member: string, reason: string) {
  return problems.validation_failed(`\`${member}\` ${reason}.`, {
    errors: [{ name: member, pointer: `/${member}`, reason, rule: 'skill' }],
  });
}

/**
 * Reads what was sent as a skill: its one text, its files, or a zip archive. Nothing of it is run. What was made here has to keep to the
 * format; what was brought in may have keys of another program, which are named. `whose`: the team that sent it. Errors: 400
 * `validation_failed`.
 */
export async function readBundle(given: SkillInput, team: string): Promise<Bundle> {
  const [member, another] = (['content', 'files', 'zip'] as const).filter((one) => given[one] !== undefined);
  if (member === undefined || another !== undefined)
    throw skillError(another ?? 'content', 'must be sent, or `files`, or `zip`, and one of them alone');
  const bundle = await bundleOf(await filesOf(given), team, member);
  const { name } = bundle.says;
  if (member === 'content') refuseUnknown(bundle.says);
  if (given.name !== undefined && given.name !== name)
    throw skillError('name', `must be \`${name}\`, as the front matter of \`${mainFile}\` says`);
  return bundle;
}

/** A SKILL.md that was written here for a skill, which keeps its name. Errors as {@link readBundle}. */
export async function readMain(
  content: string,
  name: string,
  team: string,
): Promise<{ says: FrontMatter; main: SkillFile; findings: Finding[] }> {
  const main = kept({ path: mainFile, content: encoded(content, 'content') }, 'content');
  const says = frontMatterOf(main, 'content');
  refuseUnknown(says);
  if (says.name !== name) throw skillError('content', `must have the name \`${name}\`: a skill keeps its name`);
  return { says, main, findings: await look([main], team) };
}

/** Files as a skill. They may all lie in one folder, which is called as the skill then. */
export async function bundleOf(given: readonly BundleEntry[], team: string, member = 'files'): Promise<Bundle> {
  const { files, folder } = withoutFolder(given, member);
  const main = files.find(({ path }) => path === mainFile);
  if (main === undefined) throw skillError(member, `must have a file \`${mainFile}\`, at the top or in the one folder of the skill`);
  const says = frontMatterOf(main, member);
  if (folder !== undefined && folder !== says.name)
    throw skillError(member, `must have the folder \`${says.name}\`, as the skill is called, or none`);
  const unknown = says.unknown.slice(0, 10).map((key): Finding => {
    return { code: 'unknown_key', path: mainFile, message: meaning.unknown_key, excerpt: key.slice(0, 64).toWellFormed() };
  });
  return { says, files, findings: [...unknown, ...(await look(files, team))] };
}

/** How much files are together, and what they are known by: the same where they are the same. */
export function summed(files: readonly FileEntry[]): { size: number; hash: string } {
  return {
    size: files.reduce((sum, { size }) => sum + size, 0),
    hash: hash('sha256', JSON.stringify(files.map(({ path, sha256 }) => [path, sha256]))),
  };
}

/** Files in the order of their names. */
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
  throw skillError('content', `must have no keys in its front matter but ${keys}; it has \`${key.slice(0, 64).toWellFormed()}\``);
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
    throw error instanceof ZipError ? skillError('zip', `must be a valid zip archive; it ${error.message}`) : error;
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
  throw skillError(member, 'must be text in Unicode, without NUL');
}

/** The files as they are kept: under names that lead nowhere else, each once, and without the one folder that they may lie in. */
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
  if (keys.size < files.length) throw skillError(member, 'must have each name once, in whichever case it is written');
  for (const key of keys) {
    const parts = key.split('/');
    if (parts.some((_, at) => at > 0 && keys.has(parts.slice(0, at).join('/'))))
      throw skillError(member, `must not have a file where \`${key}\` needs a folder`);
  }
}

function named(path: string, member: string): { name: string; key: string } {
  const read = readFileName(path);
  if ('key' in read) return read;
  throw skillError(member, `must have names that lead nowhere else; \`${path.slice(0, 200).toWellFormed()}\` ${read.nameError}`);
}

function kept({ path, content }: BundleEntry, member: string): SkillFile {
  const { name } = named(path, member);
  if (content.length > most.bytes) throw skillError(member, `must have at most 1 MiB in each file; \`${name}\` has more`);
  return { path: name, size: content.length, sha256: hash('sha256', content), text: isUtf8(content) && !content.includes(0), content };
}

function frontMatterOf(main: SkillFile, member: string): FrontMatter {
  if (!main.text) throw skillError(member, `must have its \`${mainFile}\` as text in UTF-8`);
  try {
    return readFrontMatter(main.content.toString());
  } catch (error) {
    throw error instanceof FrontMatterError
      ? skillError(member, `must have a \`${mainFile}\` that can be read: it ${error.message}`)
      : error;
  }
}
