import { randomUUIDv7 } from 'node:crypto';
import { notFound } from '../../../platform/identifiers.ts';
import { record } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Tool } from '../../../platform/tools.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { personOf, seesAllAgents, usableAgent } from '../access.ts';
import { agentUpdated } from '../events.ts';
import { readFileName } from '../files/index.ts';
import { builtins } from './builtin.ts';
import { type Bundle, sortByPath, readMain, skillError, summed } from './bundle.ts';
import { skillDeleted, skillInstalled, skillUpdated } from './events.ts';
import { lockSkillChanges } from './known.ts';
import { mainFile, most } from './limits.ts';
import { asKept, type Beside, contentsOf, presentEntry, presentSkill, presentVersion, type Says, type Whole } from './present.ts';
import { skillProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Skill, SkillEntry, SkillFileAnswer, SkillVersions } from './schemas.ts';

type Tools = readonly Tool[];

/** Throws 403 if the actor cannot see all agents of the team. */
function refuseConfined({ actor }: ReadScope): void {
  if (!seesAllAgents(actor))
    throw problems.forbidden('Only actors that can see all agents of the team can read skills. Ask an owner or administrator.');
}

/** Lists the built-in skills, then those of the team. With `agentId` it lists the skills of that agent. Throws 403, and 404 for the agent. */
export async function listSkills(scope: ReadScope, tools: Tools, agentId: string | undefined): Promise<SkillEntry[]> {
  refuseConfined(scope);
  const agent = agentId === undefined ? undefined : await usableAgent(scope, agentId);
  const { db, team } = scope;
  const agents = await db.all(queries.skillsOfAgents, { team });
  const beside: Beside = { tools, agents, ...(agent === undefined ? {} : { agent }) };
  const brought = [...(await builtins()).values()].map(asKept);
  const rows = [
    ...brought.map((row) => ({ ...row, file_count: row.files.length, finding_count: row.findings.length })),
    ...(await db.all(queries.listSkills, { team })),
  ];
  return rows.filter(({ name }) => agent === undefined || agent.skills.includes(name)).map((row) => presentEntry(row, beside));
}

/** Returns a skill with its files and scan findings. Throws 403 and 404. */
export async function getSkill(scope: ReadScope | Scope, tools: Tools, name: string): Promise<Versioned<Skill>> {
  refuseConfined(scope);
  const row = await anySkill(scope, name);
  const agents = await scope.db.all(queries.skillsOfAgents, { team: scope.team });
  return { value: presentSkill(row, { tools, agents }), version: row.id === undefined ? undefined : row.version };
}

async function anySkill({ db, team }: ReadScope | Scope, name: string): Promise<Whole> {
  const brought = (await builtins()).get(name);
  const row = brought ? asKept(brought) : await db.first(queries.findSkill, { team, name });
  if (!row) throw notFound('skill');
  return row;
}

/** Installs a skill and adds it to the given agents. Throws 404 for an agent, and 409 `skill_builtin`, `skill_exists`, `quota_exceeded`. */
export async function installSkill(scope: Scope, tools: Tools, bundle: Bundle, agentIds: readonly string[]): Promise<Versioned<Skill>> {
  const { db, team, now: at } = scope;
  const { name } = bundle.says;
  await refuseBuiltin(name);
  await lockSkillChanges(scope);
  if (await db.first(queries.findSkill, { team, name }))
    throw skillProblems.skill_exists(`Your team already has a skill \`${name}\`. Replace it, or choose another name.`);
  const id = randomUUIDv7();
  db.send(queries.insertSkill, { team, skill: id, name, by: personOf(scope), at });
  keepVersion(scope, { id, version: 1 }, bundle, { change: 'installed' });
  await record(scope, skillInstalled, id, { name, version: 1, findings: bundle.findings.length });
  await give(scope, name, agentIds);
  return getSkill(scope, tools, name);
}

/** Replaces a complete skill; its name cannot change. Throws 400, 404, 409 `skill_builtin`, `quota_exceeded`, and 412. */
export async function replaceSkill(
  scope: Scope,
  tools: Tools,
  { name, bundle }: { name: string; bundle: Bundle },
  expect: VersionCheck,
): Promise<Versioned<Skill>> {
  const kept = await lockSkill(scope, name, expect);
  if (bundle.says.name !== kept.name) throw skillError('name', `must be \`${kept.name}\`: the name of a skill cannot change`);
  await putVersion(scope, kept, bundle, { change: 'replaced' });
  return getSkill(scope, tools, kept.name);
}

/** Returns a file of a skill, by default its SKILL.md. Throws 400, 403 and 404. */
export async function readSkillFile(
  scope: ReadScope | Scope,
  { name, path = mainFile, version }: { name: string; path?: string; version?: number },
): Promise<Versioned<SkillFileAnswer>> {
  refuseConfined(scope);
  const skill = await anySkill(scope, name);
  const earlier = version === undefined || version === skill.version ? undefined : await versionOf(scope, skill, version);
  const { files, findings } = earlier ?? skill;
  const named = readFileName(path);
  const file = 'name' in named ? files.find((one) => one.path === named.name) : undefined;
  if (!file) throw notFound('file of this skill');
  const content = await contentOf(scope, skill, file);
  const value: SkillFileAnswer = {
    name: skill.name,
    path: file.path,
    version: version ?? skill.version,
    size: file.size,
    sha256: file.sha256,
    encoding: file.text ? 'utf8' : 'base64',
    content: content.toString(file.text ? 'utf8' : 'base64'),
    findings: findings.filter((finding) => finding.path === file.path),
  };
  return { value, version: skill.id === undefined || earlier ? undefined : skill.version };
}

async function versionOf({ db, team }: ReadScope | Scope, { id }: Whole, version: number): Promise<queries.VersionRow> {
  const found = id === undefined ? undefined : await db.first(queries.findVersion, { team, skill: id, version });
  if (!found) throw notFound('version of this skill');
  return found;
}

/** Returns the content of a file. Files of built-in skills are in memory. */
async function contentOf({ db, team }: ReadScope | Scope, { id }: Whole, file: queries.FileEntry & { content?: Buffer }): Promise<Buffer> {
  if (id === undefined || file.content) return file.content ?? Buffer.alloc(0);
  const found = await db.first(queries.findContent, { team, skill: id, sha256: file.sha256 });
  if (!found) throw new Error('a file of a skill has no stored content');
  return found.content;
}

/** Writes the SKILL.md of a skill as its next version. Throws 400, 404, 409 `skill_builtin`, `quota_exceeded`, and 412. */
export async function writeSkillFile(
  scope: Scope,
  { name, written: { says, main, findings } }: { name: string; written: Awaited<ReturnType<typeof readMain>> },
  expect: VersionCheck,
): Promise<Versioned<SkillFileAnswer>> {
  const kept = await lockSkill(scope, name, expect);
  const others = <T extends { path: string }>(ones: readonly T[]) => ones.filter(({ path }) => path !== mainFile);
  const files = sortByPath([main, ...others(kept.files)]);
  if (summed(files).size > most.allBytes) throw skillError('content', 'must leave at most 8 MiB in all files of the skill');
  await putVersion(scope, kept, { says, files, findings: [...findings, ...others(kept.findings)] }, { change: 'written' });
  return readSkillFile(scope, { name: kept.name });
}

/** Lists the stored versions of a skill, newest first. Throws 403 and 404. */
export async function listSkillVersions(scope: ReadScope, name: string): Promise<SkillVersions> {
  refuseConfined(scope);
  const { id } = await anySkill(scope, name);
  const rows = id === undefined ? [] : await scope.db.all(queries.listVersions, { team: scope.team, skill: id });
  return { name, versions: rows.map(presentVersion) };
}

/** Restores an earlier version of a skill as its next version. Throws 404, 409 `skill_builtin`, and 412. */
export async function restoreSkill(
  scope: Scope,
  tools: Tools,
  { name, version }: { name: string; version: number },
  expect: VersionCheck,
): Promise<Versioned<Skill>> {
  const kept = await lockSkill(scope, name, expect);
  const { files, findings, ...row } = await versionOf(scope, kept, version);
  await putVersion(scope, kept, { says: row, files, findings }, { change: 'restored', restored: version });
  return getSkill(scope, tools, kept.name);
}

/** Deletes a skill with its versions, and removes it from all agents. Throws 404, 409 `skill_builtin`, and 412. */
export async function deleteSkill(scope: Scope, name: string, expect: VersionCheck): Promise<{ id: string; deleted: true }> {
  const { id } = await lockSkill(scope, name, expect);
  const { db, team, now: at } = scope;
  // Otherwise the agents would get a skill that is later installed under the same name.
  for (const agent of await db.all(queries.removeSkillFromAgents, { team, name, by: personOf(scope), at }))
    await record(scope, agentUpdated, agent.id, { name: agent.name, version: agent.version, members: ['skills'] });
  db.send(queries.deleteSkill, { team, skill: id });
  await record(scope, skillDeleted, id, { name });
  return { id, deleted: true };
}

async function refuseBuiltin(name: string): Promise<void> {
  if ((await builtins()).has(name))
    throw skillProblems.skill_builtin(`The skill \`${name}\` is built in. Install your version under another name.`);
}

/** Locks the skills of the team, and returns one of them for a change. */
async function lockSkill(scope: Scope, name: string, expect: VersionCheck): Promise<queries.SkillRow> {
  await refuseBuiltin(name);
  await lockSkillChanges(scope);
  const row = await scope.db.first(queries.findSkill, { team: scope.team, name });
  if (!row) throw notFound('skill');
  expect(row.version);
  return row;
}

type Files = readonly (queries.FileEntry & { content?: Buffer })[];
type Contents = { says: Says; files: Files; findings: Bundle['findings'] };
type Later = { change: 'replaced' | 'written' | 'restored'; restored?: number };

async function putVersion(scope: Scope, { id, name }: queries.SkillRow, contents: Contents, change: Later): Promise<void> {
  const [next] = await scope.db.all(queries.nextVersion, { team: scope.team, skill: id });
  if (!next) throw new Error('a locked skill was deleted');
  keepVersion(scope, { id, version: next.version }, contents, change);
  const { change: done, restored } = change;
  await record(scope, skillUpdated, id, {
    name,
    version: next.version,
    findings: contents.findings.length,
    change: done,
    ...(restored === undefined ? {} : { restoredVersion: restored }),
  });
}

/** Stores a version with its new files, and deletes versions beyond the limit. */
function keepVersion(
  scope: Scope,
  { id: skill, version }: { id: string; version: number },
  { says, files, findings }: Contents,
  { change, restored }: Later | { change: 'installed'; restored?: undefined },
): void {
  const { db, team, now: at } = scope;
  const { metadata, ...said } = contentsOf(says);
  for (const { content, sha256, size } of files) if (content) db.send(queries.putFile, { team, skill, sha256, size, content });
  db.send(queries.insertVersion, {
    team,
    skill,
    version,
    ...said,
    ...summed(files),
    metadata: JSON.stringify(metadata),
    files: JSON.stringify(files.map(({ path, size, sha256, text }) => ({ path, size, sha256, text }))),
    findings: JSON.stringify(findings),
    change,
    restored: restored ?? null,
    by: personOf(scope),
    at,
  });
  db.send(queries.dropOldVersions, { team, skill, upTo: version - most.versions });
  db.send(queries.dropUnnamedFiles, { team, skill });
}

/** Adds a new skill to agents. */
async function give(scope: Scope, name: string, agentIds: readonly string[]): Promise<void> {
  const { db, team, now: at } = scope;
  const wanted = new Set<string>();
  for (const id of agentIds) wanted.add((await usableAgent(scope, id)).id);
  if (wanted.size === 0) return;
  const given = await db.all(queries.addSkillToAgents, { team, name, agents: [...wanted], by: personOf(scope), at });
  if (given.length < wanted.size) throw notFound('agent');
  if (given.some(({ skills }) => skills > 50)) throw skillError('agentIds', 'must only contain agents with fewer than 50 skills');
  for (const agent of given) await record(scope, agentUpdated, agent.id, { name: agent.name, version: agent.version, members: ['skills'] });
}
