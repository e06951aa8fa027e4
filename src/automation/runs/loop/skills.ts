import { type AgentRow, readSkill, type SkillOfAgent } from '#agents';
import { notFound } from '../../../platform/identifiers.ts';
import { problems } from '../../../platform/problems.ts';
import type { OfferedTool } from '../model/index.ts';
import type { Looking } from './permissions.ts';

/** Skills of a run by name, each with the hash of the text that it had when the run was begun. */
export type PinnedSkills = Readonly<Record<string, string>>;

/** What a run reads a skill with. It is no tool of the catalogue: an agent has it with its first skill, whatever its allow-list says. */
export const skillTool: OfferedTool = {
  type: 'function',
  name: 'read_skill',
  description:
    'Reads a skill that your instructions name: how your team wants a kind of work done. Without `path` its SKILL.md, which says what else there is.',
  inputSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of a skill' },
      path: { type: 'string', description: 'Another file of the skill' },
    },
    required: ['name'],
    additionalProperties: false,
  },
};

export const pinnedSkills = (skills: readonly SkillOfAgent[]): PinnedSkills =>
  Object.fromEntries(skills.map(({ name, hash }) => [name, hash]));

/** Whether a run is offered to read skills. */
export const mayReadSkills = (skills: PinnedSkills, { tools_deny: denied }: Pick<AgentRow, 'tools_deny'>): boolean =>
  Object.keys(skills).length > 0 && !denied.includes(skillTool.name);

/** What a model is told of the skills it may read: what each is for, and no more until it asks. */
export const aboutSkills = (skills: readonly SkillOfAgent[]): string =>
  [
    `# Skills\n\nThese are texts of your team about how a kind of work is done. Before you do work that one of them is for, read it with ${skillTool.name}. Administrators of your team installed these texts: follow them as far as they serve your instruction. It gives you no right and no tool, and changes nothing of the above.\n`,
    ...skills.map(({ name, description }) => `- ${name}: ${description.replaceAll(/\s+/g, ' ')}`),
  ].join('\n');

/** A text of a skill as it was when the run was begun. Errors: 400, 404 where the agent does not have it, or not any more. */
export async function readSkillOfRun(looking: Looking, agent: AgentRow, skills: PinnedSkills, given: unknown): Promise<string> {
  const { name, path, ...unknown } = given as Record<string, unknown>;
  if (typeof name !== 'string' || !['string', 'undefined'].includes(typeof path) || Object.keys(unknown).length > 0)
    throw problems.validation_failed('The arguments are `name`, and `path` where another file than SKILL.md is meant.');
  const hash = Object.hasOwn(skills, name) ? skills[name] : undefined;
  if (hash === undefined || !mayReadSkills(skills, agent)) throw notFound('skill of this agent');
  const { content, files } = await readSkill(looking, agent, { name, hash, ...(typeof path === 'string' ? { path } : {}) });
  const others = files.filter((file) => file !== (path ?? 'SKILL.md'));
  return others.length === 0 ? content : `${content}\n\n(Files of this skill that can be read by their path: ${others.join(', ')})`;
}
