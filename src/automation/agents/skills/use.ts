import { notFound } from '../../../platform/identifiers.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import type { Tool } from '../../../platform/tools.ts';
import type { AgentRow } from '../queries.ts';
import { builtins } from './builtin.ts';
import { summed } from './bundle.ts';
import { mainFile } from './limits.ts';
import { missingTools } from './present.ts';
import * as queries from './queries.ts';

type Reading = Pick<ReadScope, 'db' | 'team'>;
type Having = Pick<AgentRow, 'skills' | 'tools_allow' | 'tools_deny' | 'scopes'>;

/** The summary of a skill for an agent, and the hash to read it by. */
export type SkillOfAgent = { name: string; description: string; hash: string };

/** Returns the skills of an agent for which no tool is missing, by name. A run stores their hashes, so later changes of a skill do not affect it. */
export async function skillsOf({ db, team }: Reading, agent: Having, tools: readonly Tool[]): Promise<SkillOfAgent[]> {
  if (agent.skills.length === 0) return [];
  const brought = [...(await builtins()).values()].map(({ says, files }) => ({ ...says, hash: summed(files).hash }));
  return [...brought, ...(await db.all(queries.listSkills, { team }))]
    .filter(({ name, tools: wanted }) => agent.skills.includes(name) && missingTools(wanted, tools, agent).length === 0)
    .map(({ name, description, hash }) => ({ name, description, hash }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Returns a text of a skill, by default its SKILL.md, and the names of all its text files. `agent` is loaded for each call,
 * so a removed skill is unavailable at once. `hash` comes from {@link skillsOf}, so a run reads an unchanged skill. Throws 404.
 */
export async function readSkill(
  { db, team }: Reading,
  agent: Having,
  { name, path = mainFile, hash }: { name: string; path?: string; hash: string },
): Promise<{ content: string; files: string[] }> {
  const brought = (await builtins()).get(name);
  const kept = brought === undefined && agent.skills.includes(name) ? await db.first(queries.findByHash, { team, name, hash }) : undefined;
  const files: readonly (queries.FileEntry & { content?: Buffer })[] = (agent.skills.includes(name) && (brought ?? kept)?.files) || [];
  const texts = files.filter(({ text }) => text);
  const file = texts.find((one) => one.path === path);
  if (!file) throw notFound(files.length === 0 ? 'skill of this agent' : 'text file of this skill');
  const content =
    file.content ?? (kept && (await db.first(queries.findContent, { team, skill: kept.skill, sha256: file.sha256 }))?.content);
  if (!content) throw notFound('version of this skill');
  return { content: content.toString(), files: texts.map((one) => one.path) };
}
