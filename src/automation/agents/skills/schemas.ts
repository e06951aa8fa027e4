import { type Static, Type } from 'typebox';
import { meaning } from './patterns.ts';
import { time } from '../../../platform/schema-parts.ts';

const texts = (description: string) => Type.Array(Type.String(), { description });

const summary = {
  id: Type.Optional(Type.String({ description: 'Left out of skills that the service brings' })),
  name: Type.String(),
  description: Type.String(),
  source: Type.Enum(['builtin', 'team'], {
    description: '`builtin`: the service brings it, for all teams; `team`: the team has installed it',
  }),
  version: Type.Integer({ description: 'Which version it has, from 1 on' }),
  hash: Type.String({ description: 'The SHA-256 over the names and contents of all its files: the same where they are the same' }),
  size: Type.Integer({ description: 'Bytes of all its files' }),
  fileCount: Type.Integer({ description: 'How many files it has' }),
  findingCount: Type.Integer({ description: 'How much the scan has found for a person to look at' }),
  requires: texts('The tools that it names in `allowed-tools`. It is given none of them by that'),
  missing: texts('The required tools that do not exist, or that the given agent lacks'),
  eligible: Type.Boolean({ description: 'Whether no tool is missing, so that agents with the skill can use it' }),
  agents: texts('The agents that have it'),
  createdAt: Type.Optional(time),
  updatedAt: Type.Optional({ ...time, description: 'When it was last changed' }),
  updatedBy: Type.Optional(Type.String({ description: 'Who changed it last' })),
};

export const skillEntry = Type.Object(summary, { title: 'AgentSkillEntry' });
export type SkillEntry = Static<typeof skillEntry>;

const path = Type.String({ description: 'The name, with the folders before it' });
const finding = Type.Object(
  {
    code: Type.Enum(Object.keys(meaning) as (keyof typeof meaning)[], { description: 'What kind of thing was found' }),
    path,
    message: Type.String({ description: 'The meaning of the finding' }),
    line: Type.Optional(Type.Integer({ description: 'In which line it begins' })),
    excerpt: Type.Optional(Type.String({ description: 'The text, with invisible characters written out; for a credential only its kind' })),
  },
  { title: 'AgentSkillFinding' },
);
const findings = Type.Array(finding, { description: 'The scan findings, at most 200, for review; a finding is no proof of harm' });

export const skill = Type.Object(
  {
    ...summary,
    license: Type.Optional(Type.String()),
    compatibility: Type.Optional(Type.String({ description: 'The compatibility that its metadata states' })),
    metadata: Type.Object({}, { additionalProperties: Type.String(), description: 'Texts by name, as it says' }),
    files: Type.Array(
      Type.Object(
        {
          path,
          size: Type.Integer({ description: 'Bytes' }),
          sha256: Type.String(),
          text: Type.Boolean({ description: 'It is text in UTF-8, which alone an agent is given' }),
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
    name: Type.String({ description: 'Whose file it is' }),
    path,
    version: Type.Integer({ description: 'Which version of the skill this is of' }),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Type.String(),
    encoding: Type.Enum(['utf8', 'base64'], { description: '`base64` where the file is no text' }),
    content: Type.String(),
    findings,
  },
  { title: 'AgentSkillFile' },
);
export type SkillFileAnswer = Static<typeof skillFile>;

const version = Type.Integer({ description: 'Which version this is, from 1 on' });
export const skillVersions = Type.Object(
  {
    name: Type.String({ description: 'Whose versions these are' }),
    versions: Type.Array(
      Type.Object(
        {
          version,
          change: Type.Enum(['installed', 'replaced', 'written', 'restored'], {
            description: 'The kind of change: an installation, a replacement, a write of its `SKILL.md`, or a restored version',
          }),
          restoredVersion: Type.Optional(Type.Integer({ description: 'The earlier version that it is as again' })),
          description: Type.String(),
          hash: Type.String(),
          size: Type.Integer({ description: 'Bytes of all its files' }),
          files: texts('The names of its files'),
          findings,
          changedBy: Type.String({ description: 'Who made this version' }),
          changedAt: time,
        },
        { title: 'AgentSkillVersion' },
      ),
      { description: 'The newest first, 20 at most' },
    ),
  },
  { title: 'AgentSkillVersions' },
);
export type SkillVersions = Static<typeof skillVersions>;

export const deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

const which = Type.Integer({ minimum: 1, maximum: 2_000_000_000, description: 'Which version' });
const skillName = Type.String({ maxLength: 64, description: 'The name of a skill' });
/** What a skill is read from. */
const given = {
  name: Type.Optional({ ...skillName, description: 'The expected name, to compare with the front matter' }),
  content: Type.Optional(Type.String({ maxLength: 1024 * 1024, description: 'Its `SKILL.md`, where it has no other file' })),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ maxLength: 1_000, description: 'The name, with the folders before it' }),
        content: Type.String({ maxLength: 1_400_000, description: 'The whole content' }),
        encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { description: 'How `content` is written; as text without it' })),
      }),
      { minItems: 1, maxItems: 256, description: 'All its files, `SKILL.md` among them' },
    ),
  ),
  zip: Type.Optional(Type.String({ description: 'A zip archive of its files, as Base64' })),
};
export const replaceBody = Type.Object(given);
export type Given = Static<typeof replaceBody>;
export const installBody = Type.Object({
  ...given,
  agentIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: 'The agents that are to have it, by identifier or as `main`; none without it, until an agent’s `skills` name it',
    }),
  ),
});
export const fileBody = Type.Object({ content: Type.String({ maxLength: 1024 * 1024, description: 'The whole new `SKILL.md`' }) });
export const restoreBody = Type.Object({ version: which });

export const skillParams = Type.Object({ skillName });
export const listQuery = Type.Object({
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'Only the skills of this agent; its identifier, or `main`' })),
});
export const fileQuery = Type.Object({
  name: skillName,
  path: Type.Optional(Type.String({ maxLength: 1_500, description: 'Which file of the skill; its `SKILL.md` without it' })),
  version: Type.Optional({ ...which, description: 'Which version; without it the newest' }),
});
export const nameQuery = Type.Object({ name: skillName });
