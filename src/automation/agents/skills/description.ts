import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const content =
  '---\nname: lease-review\ndescription: Reviews a lease. Use it when one is to be looked at.\n---\n\n# Review of a lease\n\n1. Read it.\n';
const size = Buffer.byteLength(content);
const hash = '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';
const entry = {
  id: desk.agentSkill,
  name: 'lease-review',
  description: 'Reviews a lease. Use it when one is to be looked at.',
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

/** What the description of the API says of skills. */
export const skillTexts: DomainText = {
  operations: {
    listAgentSkills: {
      text: 'Lists the skills that there are: those that the service brings, then those that the team has installed, by name. With `agentId` those that this agent has; `missing` then names the tools it lacks for them. It is for owner and administrators, and for API clients that may read agents and are confined to no folders.',
      problems: ['not_found'],
      answer: [entry],
    },
    getAgentSkill: {
      text: 'Shows one skill: what its `SKILL.md` says of it, its files, and what the scan has found in its newest version.',
      answer: skill,
    },
    installAgentSkill: {
      text: 'Installs a skill for the team: from the text of its `SKILL.md` (`content`), from its `files`, or from a `zip` archive as Base64. `SKILL.md` begins with front matter that has `name` and `description`. At most 256 files, 1 MiB each and 8 MiB in all. Nothing of a skill is ever run. What the scan has found is answered with, for whoever installs it to look at: it warns, and proves nothing. No agent has the skill until `agentIds` or an agent’s `skills` name it. It is for owner and administrators, in person.',
      records: ['agent.skill.installed', 'agent.updated'],
      problems: ['not_found', 'skill_exists', ...kept],
      body: { content, agentIds: [desk.agent] },
      answer: skill,
    },
    replaceAgentSkill: {
      text: 'Replaces a skill as a whole by what is sent, as it is installed from. It keeps its name, its agents and its versions, and is scanned again.',
      records: ['agent.skill.updated'],
      problems: kept,
      body: { content },
      answer: next,
    },
    deleteAgentSkill: {
      text: 'Deletes a skill with its files and versions, for good, and takes it from each agent that has it. A repetition is 404.',
      records: ['agent.skill.deleted', 'agent.updated'],
      problems: ['skill_builtin'],
      answer: { id: desk.agentSkill, deleted: true },
    },
    readAgentSkillFile: {
      text: 'Shows the `SKILL.md` of a skill, or with `path` another of its files, as it is or with `version` as it was in one of the versions that are kept. A file that is no text comes as Base64.',
      problems: ['not_found'],
      answer: read,
    },
    writeAgentSkillFile: {
      text: 'Writes the `SKILL.md` of a skill, which makes its next version; its other files stay. It is scanned again, and keeps its name: a front matter with another is 400. With `If-Match`, of several who write on one reading exactly one passes.',
      records: ['agent.skill.updated'],
      problems: ['not_found', ...kept],
      body: { content },
      answer: { ...read, version: 2 },
    },
    listAgentSkillVersions: {
      text: 'Lists the versions that are kept of a skill, the newest first: who made each, when, how, and what the scan found then. 20 are kept. A skill that the service brings has none.',
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
      text: 'Has a skill be as it was in an earlier version, which makes its next one. Nothing of what came between is lost.',
      records: ['agent.skill.updated'],
      problems: ['skill_builtin'],
      body: { version: 1 },
      answer: { ...next, version: 3, updatedAt: desk.wednesday },
    },
  },
  members: {
    'AgentSkillEntry.name': 'What it is called by',
    'AgentSkillEntry.description': 'What it is for and when to use it, which an agent that has it is told',
    'AgentSkillEntry.createdAt': 'When it was installed',
    'AgentSkill.name': 'What it is called by',
    'AgentSkill.description': 'What it is for and when to use it, which an agent that has it is told',
    'AgentSkill.createdAt': 'When it was installed',
    'AgentSkill.license': 'Under which licence it says to be',
    'AgentSkillFileEntry.sha256': 'The SHA-256 of its content, in hexadecimal',
    'AgentSkillFile.sha256': 'The SHA-256 of its content, in hexadecimal',
    'AgentSkillFile.content': 'The whole content',
    'AgentSkillVersion.description': 'What it said that it is for',
    'AgentSkillVersion.hash': 'What it was known by: the SHA-256 over the names and contents of all its files',
    'AgentSkillVersion.changedAt': 'When it was made',
  },
};
