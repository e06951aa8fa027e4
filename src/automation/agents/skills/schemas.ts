import { type Static, Type } from 'typebox';
import { meaning } from './patterns.ts';
import { time } from '../../../platform/schema-parts.ts';

const texts = (description: string) => Type.Array(Type.String(), { description });

const summary = {
  id: Type.Optional(Type.String({ description: 'Absent for built-in skills' })),
  name: Type.String(),
  description: Type.String(),
  source: Type.Enum(['builtin', 'team'], {
    description: '`builtin` for a skill of the service for all teams; `team` for an installed skill',
  }),
  version: Type.Integer({ description: 'The version number, starting at 1' }),
  hash: Type.String({ description: 'SHA-256 of the names and contents of all its files' }),
  size: Type.Integer({ description: 'The size of all its files, in bytes' }),
  fileCount: Type.Integer({ description: 'The number of its files' }),
  findingCount: Type.Integer({ description: 'The number of scan findings' }),
  requires: texts('The tools that its `allowed-tools` names. Naming a tool does not give it to the agent'),
  missing: texts('The required tools that do not exist, or that the given agent lacks'),
  eligible: Type.Boolean({ description: 'Whether no tool is missing, so that agents with the skill can use it' }),
  agents: texts('The agents that have it'),
  createdAt: Type.Optional(time),
  updatedAt: Type.Optional({ ...time, description: 'The time of the last change' }),
  updatedBy: Type.Optional(Type.String({ description: 'The actor of the last change' })),
};

export const skillEntry = Type.Object(summary, { title: 'AgentSkillEntry' });
export type SkillEntry = Static<typeof skillEntry>;

const path = Type.String({ description: 'The name, with its folders' });
const finding = Type.Object(
  {
    code: Type.Enum(Object.keys(meaning) as (keyof typeof meaning)[], { description: 'The kind of finding' }),
    path,
    message: Type.String({ description: 'The meaning of the finding' }),
    line: Type.Optional(Type.Integer({ description: 'The line of its start' })),
    excerpt: Type.Optional(Type.String({ description: 'The text, with invisible characters written out; for a credential only its kind' })),
  },
  { title: 'AgentSkillFinding' },
);
const findings = Type.Array(finding, { description: 'The scan findings, at most 200, for review; a finding does not prove harm' });

export const skill = Type.Object(
  {
    ...summary,
    license: Type.Optional(Type.String()),
    compatibility: Type.Optional(Type.String({ description: 'The compatibility that its metadata states' })),
    metadata: Type.Object({}, { additionalProperties: Type.String(), description: 'Metadata texts by name' }),
    files: Type.Array(
      Type.Object(
        {
          path,
          size: Type.Integer({ description: 'Bytes' }),
          sha256: Type.String(),
          text: Type.Boolean({ description: 'Whether it is UTF-8 text; agents get only text' }),
        },
        { title: 'AgentSkillFileEntry' },
      ),
      { description: 'All its files, by name' },
    ),
    findings,
  },
  { title: 'AgentSkill' },
);
export type Skill = Static<typeof skill>;

export const skillFile = Type.Object(
  {
    name: Type.String({ description: 'The skill of the file' }),
    path,
    version: Type.Integer({ description: 'The version of the skill' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String(),
    encoding: Type.Enum(['utf8', 'base64'], { description: '`base64` for a file that is not text' }),
    content: Type.String(),
    findings,
  },
  { title: 'AgentSkillFile' },
);
export type SkillFileAnswer = Static<typeof skillFile>;

const version = Type.Integer({ description: 'The version number, starting at 1' });
export const skillVersions = Type.Object(
  {
    name: Type.String({ description: 'The skill of these versions' }),
    versions: Type.Array(
      Type.Object(
        {
          version,
          change: Type.Enum(['installed', 'replaced', 'written', 'restored'], {
            description: 'The kind of change: an installation, a replacement, a write of its `SKILL.md`, or a restored version',
          }),
          restoredVersion: Type.Optional(Type.Integer({ description: 'The restored earlier version' })),
          description: Type.String(),
          hash: Type.String(),
          size: Type.Integer({ description: 'The size of all its files, in bytes' }),
          files: texts('The names of its files'),
          findings,
          changedBy: Type.String({ description: 'The actor that created this version' }),
          changedAt: time,
        },
        { title: 'AgentSkillVersion' },
      ),
      { description: 'Newest first, at most 20' },
    ),
  },
  { title: 'AgentSkillVersions' },
);
export type SkillVersions = Static<typeof skillVersions>;

export const deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

const which = Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'The version number' });
const skillName = Type.String({ maxLength: 64, description: 'The name of a skill' });
/** The input of a skill. */
const given = {
  name: Type.Optional({ ...skillName, description: 'The expected name, to compare with the front matter' }),
  content: Type.Optional(Type.String({ maxLength: 1024 * 1024, description: 'Its `SKILL.md`, for a skill without other files' })),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ maxLength: 1_000, description: 'The name, with its folders' }),
        content: Type.String({ maxLength: 1_400_000, description: 'The complete content' }),
        encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { description: 'The encoding of `content`; text by default' })),
      }),
      { minItems: 1, maxItems: 256, description: 'All its files, including `SKILL.md`' },
    ),
  ),
  zip: Type.Optional(Type.String({ description: 'A zip archive of its files, as Base64' })),
};
export const replaceBody = Type.Object(given);
export type SkillInput = Static<typeof replaceBody>;
export const installBody = Type.Object({
  ...given,
  agentIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: 'The agents for the skill, by identifier or as `main`; none by default, until an agent’s `skills` names it',
    }),
  ),
});
export const fileBody = Type.Object({ content: Type.String({ maxLength: 1024 * 1024, description: 'The complete new `SKILL.md`' }) });
export const restoreBody = Type.Object({ version: which });

export const skillParams = Type.Object({ skillName });
export const listQuery = Type.Object({
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'Only the skills of this agent; its identifier, or `main`' })),
});
export const fileQuery = Type.Object({
  name: skillName,
  path: Type.Optional(Type.String({ maxLength: 1_500, description: 'The file of the skill; its `SKILL.md` by default' })),
  version: Type.Optional({ ...which, description: 'The version number; the newest by default' }),
});
export const nameQuery = Type.Object({ name: skillName });
