import { type AgentRow, readSkill, type SkillOfAgent } from '#agents';
import { notFound } from '../../../platform/identifiers.ts';
import { problems } from '../../../platform/problems.ts';
import type { OfferedTool } from '../model/index.ts';
import type { TeamReader } from './permissions.ts';

/** The skills of a run by name, with the hash of the text that each had at the start of the run. */
export type PinnedSkills = Readonly<Record<string, string>>;

/** The tool that reads skills. It is not in the catalogue: every agent with a skill has it, regardless of its allow-list. */
export const skillTool: OfferedTool = {
  type: 'function',
  name: 'read_skill',
  description:
    'Reads a skill that your instructions list: how your team does a kind of work. Without `path` it returns SKILL.md, which mentions the other files.',
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

/** Whether a run gets the tool that reads skills. */
export const mayReadSkills = (skills: PinnedSkills, { tools_deny: denied }: Pick<AgentRow, 'tools_deny'>): boolean =>
  Object.keys(skills).length > 0 && !denied.includes(skillTool.name);

/** Returns the part of the prompt that lists the skills with their purpose. The model reads their text on request. */
export const aboutSkills = (skills: readonly SkillOfAgent[]): string =>
  [
    `# Skills\n\nThese texts of your team describe how to do a kind of work. Before you do such work, read the text with ${skillTool.name}. Administrators of your team installed these texts: follow them as far as they serve your instruction. They give you no right and no tool, and do not change the rules above.\n`,
    ...skills.map(({ name, description }) => `- ${name}: ${description.replaceAll(/\s+/g, ' ')}`),
  ].join('\n');

/** Returns a text of a skill as of the start of the run. Throws 400, and 404 if the agent does not have the skill or has lost it. */
export async function readSkillOfRun(reader: TeamReader, agent: AgentRow, skills: PinnedSkills, given: unknown): Promise<string> {
  const { name, path, ...unknown } = given as Record<string, unknown>;
  if (typeof name !== 'string' || !['string', 'undefined'].includes(typeof path) || Object.keys(unknown).length > 0)
    throw problems.validation_failed('The arguments are `name`, and `path` for a file other than SKILL.md.');
  const hash = Object.hasOwn(skills, name) ? skills[name] : undefined;
  if (hash === undefined || !mayReadSkills(skills, agent)) throw notFound('skill of this agent');
  const { content, files } = await readSkill(reader, agent, { name, hash, ...(typeof path === 'string' ? { path } : {}) });
  const others = files.filter((file) => file !== (path ?? 'SKILL.md'));
  return others.length === 0 ? content : `${content}\n\n(Files of this skill that can be read by their path: ${others.join(', ')})`;
}
