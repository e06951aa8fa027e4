import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const content =
  '---\nname: lease-review\ndescription: Reviews a lease. Use it for new and changed leases.\n---\n\n# Review of a lease\n\n1. Read it.\n';
const size = Buffer.byteLength(content);
const hash = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';
const entry = {
  id: desk.agentSkill,
  name: 'lease-review',
  description: 'Reviews a lease. Use it for new and changed leases.',
  source: 'team',
  version: 1,
  hash,
  size,
  fileCount: 1,
  findingCount: 0,
  requires: [],
  missing: [],
  eligible: true,
  agents: [desk.agent],
  createdAt: desk.monday,
  updatedAt: desk.monday,
  updatedBy: desk.olivia.id,
};
const file = { path: 'SKILL.md', size, sha256: desk.sha256, text: true };
const skill = { ...entry, metadata: {}, files: [file], findings: [] };
const next = { ...skill, version: 2, updatedAt: desk.tuesday };
const read = { name: entry.name, path: file.path, version: 1, size, sha256: desk.sha256, encoding: 'utf8', content, findings: [] };
const kept = ['skill_builtin', 'quota_exceeded'];

/** The API texts of skills. */
export const skillTexts: DomainText = {
  operations: {
    listAgentSkills: {
      text: 'Lists the built-in skills, then the installed skills of the team, by name. With `agentId` it lists the skills of that agent, and `missing` has the tools that the agent lacks for them. For the owner and administrators, and for API clients without folder restrictions that can read agents.',
      problems: ['not_found'],
      answer: [entry],
    },
    getAgentSkill: {
      text: 'Returns a skill: the metadata of its `SKILL.md`, its files, and the scan findings of its newest version.',
      answer: skill,
    },
    installAgentSkill: {
      text: 'Installs a skill for the team, from the text of its `SKILL.md` (`content`), from `files`, or from a `zip` archive as Base64. `SKILL.md` begins with front matter that has `name` and `description`. A skill has at most 256 files, of 1 MiB each and 8 MiB in all. Chancery never executes a skill. The response has the findings of the scan for your review: they are warnings, not proof. No agent has the skill until `agentIds` or an agent’s `skills` names it. For the owner and administrators, in person.',
      records: ['agent.skill.installed', 'agent.updated'],
      problems: ['not_found', 'skill_exists', ...kept],
      body: { content, agentIds: [desk.agent] },
      answer: skill,
    },
    replaceAgentSkill: {
      text: 'Replaces a complete skill, with the same input as an installation. It keeps its name, agents and versions, and is scanned again.',
      records: ['agent.skill.updated'],
      problems: kept,
      body: { content },
      answer: next,
    },
    deleteAgentSkill: {
      text: 'Deletes a skill permanently, with its files and versions, and removes it from all agents. A repetition responds 404.',
      records: ['agent.skill.deleted', 'agent.updated'],
      problems: ['skill_builtin'],
      answer: { id: desk.agentSkill, deleted: true },
    },
    readAgentSkillFile: {
      text: 'Returns the `SKILL.md` of a skill, or the file at `path`. With `version` it returns a stored earlier version. Files that are not text are Base64.',
      problems: ['not_found'],
      answer: read,
    },
    writeAgentSkillFile: {
      text: 'Writes the `SKILL.md` of a skill as its next version; its other files stay. Chancery scans it again. A front matter with another name gets 400. With `If-Match`, exactly one of several concurrent writes succeeds.',
      records: ['agent.skill.updated'],
      problems: ['not_found', ...kept],
      body: { content },
      answer: { ...read, version: 2 },
    },
    listAgentSkillVersions: {
      text: 'Lists the stored versions of a skill, newest first, with actor, time, kind of change and scan findings. Chancery keeps 20. A built-in skill has none.',
      answer: {
        name: entry.name,
        versions: [
          {
            version: 1,
            change: 'installed',
            description: entry.description,
            hash,
            size,
            files: ['SKILL.md'],
            findings: [],
            changedBy: desk.olivia.id,
            changedAt: desk.monday,
          },
        ],
      },
    },
    restoreAgentSkill: {
      text: 'Restores an earlier version of a skill as its next version. The versions between stay.',
      records: ['agent.skill.updated'],
      problems: ['skill_builtin'],
      body: { version: 1 },
      answer: { ...next, version: 3, updatedAt: desk.wednesday },
    },
  },
  members: {
    'AgentSkillEntry.name': 'The name that agents refer to',
    'AgentSkillEntry.description': 'The purpose of the skill and when to use it, for the model',
    'AgentSkillEntry.createdAt': 'The time of the installation',
    'AgentSkill.name': 'The name that agents refer to',
    'AgentSkill.description': 'The purpose of the skill and when to use it, for the model',
    'AgentSkill.createdAt': 'The time of the installation',
    'AgentSkill.license': 'The licence that its metadata states',
    'AgentSkillFileEntry.sha256': 'SHA-256 of the content, in hexadecimal',
    'AgentSkillFile.sha256': 'SHA-256 of its content, in hexadecimal',
    'AgentSkillFile.content': 'The complete content',
    'AgentSkillVersion.description': 'The purpose in that version',
    'AgentSkillVersion.hash': 'SHA-256 of the names and contents of all its files',
    'AgentSkillVersion.changedAt': 'The time of the change',
  },
};
