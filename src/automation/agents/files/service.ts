import { notFound } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { lockedAgent, personOf, usableAgent } from '../access.ts';
import { fileDeleted, fileRestored, fileWritten } from '../events.ts';
import { agentProblems } from '../problems.ts';
import { credentialsIn, lineOf } from '../secrets.ts';
import { readFileName } from './names.ts';
import * as queries from './queries.ts';
import { type FileAnswer, type FileList, type FileVersions, most } from './schemas.ts';

/** Lists the files of an agent. Throws 404. */
export async function listFiles(scope: ReadScope, agentId: string): Promise<FileList> {
  const { id: agent } = await usableAgent(scope, agentId);
  const rows = await scope.db.all(queries.listFiles, { team: scope.team, agent });
  const files = rows.map((row) => ({ ...listed(row), etag: `"${row.version}"` }));
  return { agentId: agent, files };
}

/** Returns the contents of all files of an agent, by normalized file name. */
export async function readTexts({ db, team }: Scope, agent: string): Promise<Map<string, string>> {
  return new Map((await db.all(queries.readTexts, { team, agent })).map(({ key, content }) => [key, content]));
}

/** Returns a file. Throws 400 and 404. */
export async function readFile(scope: ReadScope | Scope, agentId: string, fileName: string): Promise<Versioned<FileAnswer>> {
  const { key } = nameOf(fileName, 'fileName');
  const { id: agent } = await usableAgent(scope, agentId);
  const row = await scope.db.first(queries.findFile, { team: scope.team, agent, key });
  if (!row) throw notFound('file');
  const { version, content } = row;
  return { value: { agentId: agent, file: { ...listed(row), version, content }, ...warnings(content) }, version };
}

/** Writes a complete file, as the next version if the file exists. Throws 400, 404, 409 `agent_file_limit`, `file_path_conflict`, and 412. */
export async function writeFile(
  scope: Scope,
  agentId: string,
  { fileName, content }: { fileName: string; content: string },
  expect: VersionCheck,
): Promise<Versioned<FileAnswer>> {
  const named = nameOf(fileName, 'fileName');
  const written = await write(scope, agentId, { ...named, content }, expect);
  await recordAudit(scope, fileWritten, written.agent, { name: written.name, version: written.version, size: written.size });
  return readFile(scope, written.agent, named.name);
}

/** Writes the content of an earlier version as the next version. Throws the same errors as {@link writeFile}. */
export async function restoreFile(
  scope: Scope,
  agentId: string,
  { fileName, version }: { fileName: string; version: number },
  expect: VersionCheck,
): Promise<Versioned<FileAnswer>> {
  const named = nameOf(fileName, 'fileName');
  const { id: agent } = await lockedAgent(scope, agentId);
  const earlier = await scope.db.first(queries.findVersion, { team: scope.team, agent, key: named.key, version });
  if (!earlier) throw notFound('version of this file');
  const written = await write(scope, agent, { ...named, content: earlier.content }, expect);
  await recordAudit(scope, fileRestored, agent, { name: written.name, version: written.version, restoredVersion: version });
  return readFile(scope, agent, named.name);
}

/** Deletes a file with its versions. Throws 400, 404 and 412. */
export async function deleteFile(scope: Scope, agentId: string, fileName: string, expect: VersionCheck): Promise<void> {
  const { key } = nameOf(fileName, 'fileName');
  const { id: agent } = await lockedAgent(scope, agentId);
  const { version } = await readFile(scope, agent, fileName);
  expect(version ?? 0);
  const [gone] = await scope.db.all(queries.deleteFile, { team: scope.team, agent, key });
  if (gone) await recordAudit(scope, fileDeleted, agent, { name: gone.name });
}

/** Lists the stored versions of a file, or of all files, newest first. Throws 400 and 404. */
export async function listFileVersions(scope: ReadScope, agentId: string, fileName: string | undefined): Promise<FileVersions> {
  const key = fileName === undefined ? null : nameOf(fileName, 'name').key;
  const { id: agent } = await usableAgent(scope, agentId);
  const rows = await scope.db.all(queries.listVersions, { team: scope.team, agent, key });
  if (key !== null && rows.length === 0) throw notFound('file');
  const versions = rows.map(({ name, version, size, changed_by: changedBy, changed_at: changedAt }) => ({
    name,
    version,
    size,
    changedBy,
    changedAt,
  }));
  return { agentId: agent, versions };
}

/** Returns a version of a file. Throws 400 and 404. */
export async function readFileVersion(
  scope: ReadScope,
  agentId: string,
  { fileName, version }: { fileName: string; version: number },
): Promise<Versioned<FileAnswer>> {
  const { key } = nameOf(fileName, 'fileName');
  const { id: agent } = await usableAgent(scope, agentId);
  const row = await scope.db.first(queries.findVersion, { team: scope.team, agent, key, version });
  if (!row) throw notFound('version of this file');
  return {
    value: { agentId: agent, file: { ...listed(row), version, content: row.content }, ...warnings(row.content) },
    version: undefined,
  };
}

type Written = { agent: string; name: string; version: number; size: number };

/** Writes a file under the lock of its agent, so that concurrent writes cannot exceed the limits of the agent. */
async function write(
  scope: Scope,
  agentId: string,
  { name, key, content }: { name: string; key: string; content: string },
  expect: VersionCheck,
): Promise<Written> {
  const size = sizeOf(content);
  const { id: agent } = await lockedAgent(scope, agentId);
  const at = { team: scope.team, agent, key };
  const kept = await scope.db.first(queries.findFile, at);
  expect(kept?.version ?? 0);
  const others = await scope.db.first(queries.besides, at);
  if (others && others.in_the_way !== null)
    throw agentProblems.file_path_conflict(
      'The path needs a folder where a file exists, or a file where a folder exists. Choose another name.',
    );
  if (others && (others.files >= most.files || others.bytes + size > most.allBytes))
    throw agentProblems.agent_file_limit(
      `An agent has at most ${most.files} files and 10 MiB in all. Delete files that you no longer need.`,
    );
  const put = await scope.db.first(queries.putFile, { ...at, name, content, size, by: personOf(scope), at: scope.now });
  if (!put) throw new Error('the statement that writes a file returned no row');
  return { agent, name: kept?.name ?? name, version: put.version, size };
}

function nameOf(given: string, member: string): { name: string; key: string } {
  const read = readFileName(given);
  if ('key' in read) return read;
  throw problems.validation_failed(`\`${member}\` ${read.nameError}.`, {
    errors: [{ name: member, pointer: `/${member}`, reason: read.nameError, rule: 'fileName' }],
  });
}

function sizeOf(content: string): number {
  const size = Buffer.byteLength(content);
  const reason =
    size > most.bytes
      ? 'must have at most 256 KiB of UTF-8'
      : content.includes('\0') || !content.isWellFormed()
        ? 'must be valid Unicode text without NUL'
        : undefined;
  if (reason === undefined) return size;
  throw problems.validation_failed(`\`content\` ${reason}.`, {
    errors: [{ name: 'content', pointer: '/content', reason, rule: 'content' }],
  });
}

const listed = ({ name, size, changed_at: updatedAt, changed_by: updatedBy }: Omit<queries.FileRow, 'content'>) => ({
  name,
  size,
  updatedAt,
  updatedBy,
});

/** Returns warnings about possible credentials in a file, because agents and the provider of their model receive the complete file. */
function warnings(content: string): Pick<FileAnswer, 'warnings'> {
  const found = credentialsIn(content).slice(0, 20);
  if (found.length === 0) return {};
  return {
    warnings: found.map(({ kind, from }) => ({
      line: lineOf(content, from),
      message: `Looks like ${kind}. Remove it from the file and replace the credential: every reader of the file can see it.`,
    })),
  };
}
