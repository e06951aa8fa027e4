import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { serverTexts } from './servers/description.ts';
import { skillTexts } from './skills/description.ts';

const limits = { maxTokensPerRun: 200_000, maxTokensPerDay: 2_000_000, maxSteps: 30, timeoutSeconds: 600 };
const settings = {
  name: 'Contract reviewer',
  description: 'Compares incoming agreements with the playbook',
  enabled: true,
  model: { fallbacks: [] },
  scopes: ['folders:read', 'documents:read', 'tasks:read', 'tasks:write'],
  folderIds: [desk.folder],
  tools: { deny: [] },
  skills: ['nda-review'],
  approval: 'mutating',
  fourEyes: false,
  limits,
};
const agent = {
  id: desk.agent,
  ...settings,
  isDefault: false,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const why = 'It asks the wrong people';
const stopped = { at: desk.tuesday, by: desk.olivia.id, reason: why };
const share = {
  id: desk.share,
  agentId: desk.agent,
  userId: desk.priya.id,
  access: 'use',
  grantedBy: desk.olivia.id,
  createdAt: desk.monday,
};
const tool = {
  name: 'get_task',
  title: 'Read a task',
  description: 'Shows one task: what is to be done, by whom and by when, and what came of it.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  server: 'chancery',
  scope: 'tasks:read',
  isMutating: false,
  enabled: true,
};
const entryOfPreset = { id: 'policy-librarian', name: 'Policy librarian', description: 'Answers what the policies of the team say' };
const content = '# Non-disclosure agreements\n\nWe accept a term of up to three years.\n';
const entry = { name: 'playbooks/nda.md', size: Buffer.byteLength(content), updatedAt: desk.tuesday, updatedBy: desk.olivia.id };
const file = { ...entry, version: 2, content };
const given = ['skill_not_found', 'scope_not_held', 'scope_not_for_agents', 'scope_not_confinable', 'unknown_scope', 'folder_not_found'];

export const description: DomainText = {
  operations: {
    ...skillTexts.operations,
    ...serverTexts.operations,
    listAgents: {
      text: 'Lists the agents that the caller may use: for owner and administrators, and for API clients that are confined to no folders, all of the team; for a member those that were given to them or to all members. A member sees what an agent is set to, so that they know what they have run. Viewers see none.',
      answer: [agent],
    },
    getAgent: {
      text: 'Shows one agent. `main` in the path is the agent that every team has. One that the caller may not use is 404, as if it did not exist. `stopped` is there while the agent, or every agent of the team, is stopped.',
      answer: agent,
    },
    listAgentTools: {
      text: 'Lists the tools by which agents work, with the JSON Schema of what each takes. They are operations of the service: a call is decided as the operation is, by the same scope and the same rules. With `agentId`, `enabled` says whether that agent has the tool: its allow-list names it, or it has no allow-list and the tool only reads; its deny-list does not; and it holds the scope.',
      problems: ['not_found'],
      answer: { tools: [tool] },
    },
    listAgentPresets: {
      text: 'Lists the presets that the service brings: agents that are set up for a kind of work. A preset changes nothing until somebody applies it.',
      answer: [entryOfPreset],
    },
    getAgentPreset: {
      text: 'Shows what a preset sets: the scopes, tools and approval of an agent, and the texts it brings. One that there is not is 404.',
      answer: {
        ...entryOfPreset,
        settings: {
          description: 'Answers from policies',
          scopes: ['documents:read'],
          tools: { allow: ['get_document'] },
          skills: ['policy-answer'],
          approval: 'always',
        },
        files: [{ name: 'AGENTS.md', content: '# Policy librarian\n' }],
      },
    },
    applyAgentPreset: {
      text: 'Sets an agent by a preset, `main` where none is named. What a person has changed is kept: each text and each member is compared as it is, as a preset last set it, and as this one has it, and what differs from the last is named in `conflicts`. The scopes must be the caller’s to give. Applying the same again changes nothing more; nothing is applied by itself.',
      records: ['agent.preset_applied', 'agent.updated', 'agent.file_written'],
      problems: ['not_found', 'scope_not_held', 'scope_not_confinable', 'file_path_conflict'],
      body: { presetId: 'policy-librarian' },
      answer: {
        agentId: desk.agent,
        presetId: 'policy-librarian',
        files: ['AGENTS.md'],
        settings: ['scopes', 'tools', 'skills'],
        conflicts: [],
      },
    },
    createAgent: {
      text: 'Makes an agent. Its scopes are at most those of whoever makes it, and of the kind that agents have; without `scopes` it may read folders, documents, workflows, tasks, forms and registries. `folderIds` confines it to trees of folders, and an empty list to nothing. Without `tools.allow` it has the built-in tools that only read. It is for owner and administrators, in person. A repetition without an `Idempotency-Key` makes a second agent.',
      records: ['agent.created'],
      problems: ['quota_exceeded', ...given],
      body: { name: settings.name, description: settings.description, scopes: settings.scopes, folderIds: settings.folderIds },
      answer: agent,
    },
    updateAgent: {
      text: 'Changes the members that are sent; of `model`, `tools` and `limits` those that are sent within them. Scopes and folders that are added must be the caller’s to give; what the agent has already stays. Each change is a version, of which the newest 100 are kept.',
      records: ['agent.updated'],
      problems: given,
      body: { limits: { maxSteps: 12 } },
      answer: { ...agent, limits: { ...limits, maxSteps: 12 }, updatedAt: desk.tuesday },
    },
    deleteAgent: {
      text: 'Deletes an agent for good, with its versions and shares; the journal keeps who made and changed it. The agent `main` stays: 409. A repetition is 404.',
      records: ['agent.deleted'],
      problems: ['agent_is_default', 'agent_in_use'],
    },
    listAgentVersions: {
      text: 'Lists what an agent was set to, the newest version first, with who made it and when. The newest 100 are kept.',
      answer: [{ version: 1, changedBy: desk.olivia.id, changedAt: desk.monday, agent: settings }],
    },
    revertAgent: {
      text: 'Sets an agent as it was in an earlier version, which makes a new one. What that version had beyond what the agent has now must be the caller’s to give. A stop stays as it is.',
      records: ['agent.updated'],
      problems: ['skill_not_found', 'scope_not_held', 'folder_not_found'],
      body: { version: 1 },
      answer: { ...agent, updatedAt: desk.wednesday },
    },
    stopAgent: {
      text: 'Stops an agent, until `startAgent`: nothing of it may run. Whoever reads the agent sees by whom it was stopped, when and why. Stopping it again changes nothing.',
      records: ['agent.stopped'],
      body: { reason: why },
      answer: { ...agent, stopped: { ...stopped, everyAgent: false } },
    },
    startAgent: {
      text: 'Lets an agent that was stopped run again. One that is not stopped by itself is 409.',
      records: ['agent.started'],
      problems: ['agent_not_stopped'],
      answer: agent,
    },
    getAgentsStop: {
      text: 'Tells whether every agent of the team is stopped, and where it is so, by whom, since when and why.',
      answer: { stopped: true, ...stopped },
    },
    stopAgents: {
      text: 'Stops every agent of the team, those that are made later too, until `startAgents`. Stopping them again changes nothing.',
      records: ['agents.stopped'],
      body: { reason: why },
      answer: { stopped: true, ...stopped },
    },
    startAgents: {
      text: 'Lets the agents of the team run again. Those that were stopped by themselves stay stopped. Where they are not stopped it is 409.',
      records: ['agents.started'],
      problems: ['agent_not_stopped'],
      answer: { stopped: false },
    },
    listAgentShares: {
      text: 'Tells owner and administrators, and API clients that may read agents, which members an agent was given to, and by whom.',
      answer: [share],
    },
    shareAgent: {
      text: 'Lets a member, a group or the whole team use an agent: they see it and run it, and change nothing of it. An agent never has more access than the person it runs for. A second share with the same principal replaces the first.',
      records: ['agent.shared'],
      problems: ['member_not_found', 'group_not_found'],
      body: { userId: desk.priya.id },
      answer: share,
    },
    listAgentFiles: {
      text: 'Lists the files of an agent, all of them, by name: for owner and administrators, and API clients that may read agents. `etag` of each goes into `If-Match` of a write.',
      answer: { agentId: desk.agent, files: [{ ...entry, etag: '"2"' }] },
    },
    readAgentFile: {
      text: 'Shows one file, as it is, or with `version` as it was in one of the versions that are kept. Its name is encoded in the path, slashes too: `playbooks%2Fnda.md`. Upper and lower case count as the same. A name that cannot be one, such as `../../secret`, is 400.',
      answer: { agentId: desk.agent, file },
    },
    writeAgentFile: {
      text: 'Writes a file, whole: a new one, or the next version of one that is there. A file has at most 256 KiB of UTF-8, an agent 200 files and 10 MiB. With `If-Match`, of several who write on one reading exactly one passes; without it the last one does. Names are kept in Unicode NFC, have at most 8 parts, 255 bytes in each and 500 in all, and lead nowhere else.',
      records: ['agent.file_written'],
      problems: ['agent_file_limit', 'file_path_conflict'],
      body: { content: file.content },
      answer: { agentId: desk.agent, file },
    },
    deleteAgentFile: {
      text: 'Deletes a file with its versions, for good; the journal keeps who wrote and deleted it. A repetition is 404.',
      records: ['agent.file_deleted'],
    },
    listAgentFileVersions: {
      text: 'Lists the versions that are kept of one file, or of all files of the agent, the newest first: who wrote each, and when. Of each file the newest 20 are kept; 200 are listed at most. What a version says is read as the file, with `version`.',
      answer: {
        agentId: desk.agent,
        versions: [{ name: file.name, version: 2, size: file.size, changedBy: desk.olivia.id, changedAt: desk.tuesday }],
      },
    },
    restoreAgentFile: {
      text: 'Writes what a file said in an earlier version once more, as its next version. Nothing of what came between is lost.',
      records: ['agent.file_restored'],
      problems: ['agent_file_limit'],
      body: { version: 1 },
      answer: { agentId: desk.agent, file: { ...file, version: 3, updatedAt: desk.wednesday } },
    },
    deleteAgentShare: {
      text: 'Ends a share: whoever had the agent by it alone does not find it any more from the next request on, and their runs of it end. A repetition is 404.',
      records: ['agent.unshared'],
    },
  },
  members: {
    ...skillTexts.members,
    ...serverTexts.members,
    'AgentPresetEntry.name': 'What people see',
    'AgentPresetEntry.description': 'What it is for',
    'AgentPreset.name': 'What people see',
    'AgentPreset.description': 'What it is for',
    'AgentPresetFile.name': 'The name, with the folders before it',
    'AgentPresetFile.content': 'The whole text',
    'AgentPresetConflict.name': 'Which file or member',
    'AgentTool.title': 'What people see',
    'AgentTool.description': 'What it does, for a model that chooses among tools',
    'AgentFileEntry.name': 'The name, with the folders before it',
    'AgentFile.name': 'The name, with the folders before it',
    'AgentFile.content': 'The whole text',
    'AgentFileVersion.name': 'The name, with the folders before it',
    'AgentFileVersion.size': 'Bytes in UTF-8',
    'AgentFileVersion.changedAt': 'When it was written',
    'Agent.name': 'What it is called',
    'Agent.description': 'What it is for',
    'Agent.stopped': 'Who stopped it, when and why; left out while it may run',
    'AgentVersion.version': 'Its number, from 1 on',
    'AgentVersion.changedAt': 'When it was made',
    'AgentVersion.agent': 'What the agent was set to',
  },
};
