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
const caller = { clientId: desk.client.id, onBehalfOf: desk.olivia.id, since: desk.monday };
const tool = {
  name: 'get_task',
  title: 'Read a task',
  description: 'Shows one task with its description, assignee, due date and outcome.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  server: 'chancery',
  scope: 'tasks:read',
  isMutating: false,
  enabled: true,
};
const entryOfPreset = { id: 'policy-librarian', name: 'Policy librarian', description: 'Answers questions about the policies of the team' };
const content = '# Non-disclosure agreements\n\nWe accept a term of up to three years.\n';
const entry = { name: 'playbooks/nda.md', size: Buffer.byteLength(content), updatedAt: desk.tuesday, updatedBy: desk.olivia.id };
const file = { ...entry, version: 2, content };
const given = [
  'approval_policy_not_found',
  'skill_not_found',
  'scope_not_held',
  'scope_not_for_agents',
  'scope_not_confinable',
  'unknown_scope',
  'folder_not_found',
];

export const description: DomainText = {
  operations: {
    ...skillTexts.operations,
    ...serverTexts.operations,
    listAgents: {
      text: 'Lists the agents that the caller can use. The owner, administrators and API clients without folder restrictions see all agents of the team. Members see the agents that are shared with them or with all members, including their settings. Viewers see none.',
      answer: [agent],
    },
    getAgent: {
      text: 'Returns an agent. `main` in the path is the default agent of the team. Responds 404 if the caller cannot use the agent, as if it did not exist. `stopped` is present while the agent or all agents of the team are stopped.',
      answer: agent,
    },
    listAgentTools: {
      text: 'Lists the tools of agents, with the JSON Schema of their input. A tool is an operation of the service: the same scope and the same rules apply to a call. With `agentId`, `enabled` says whether that agent has the tool. An agent has a tool if its allow-list contains it, or if it has no allow-list and the tool only reads. The agent also needs the scope, and its deny-list must not contain the tool.',
      problems: ['not_found'],
      answer: { tools: [tool] },
    },
    listAgentPresets: {
      text: 'Lists the built-in presets: agent settings for a kind of work. A preset has no effect until a user applies it.',
      answer: [entryOfPreset],
    },
    getAgentPreset: {
      text: 'Returns a preset: the scopes, tools and approval of an agent, and its texts. Responds 404 for an unknown preset.',
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
      text: 'Applies a preset to an agent, by default to `main`. Keeps the changes of users: it compares each text and setting with the last applied preset and with the new one. `conflicts` lists the kept differences. The caller must hold the scopes of the preset. A repetition changes nothing. Chancery never applies a preset automatically.',
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
      text: 'Creates an agent. Its scopes are at most those of the caller, and only scopes for agents. Without `scopes` it can read folders, documents, workflows, tasks, forms and registries. `folderIds` restricts it to folder trees; an empty list allows no folder. Without `tools.allow` it has the built-in tools that only read. For the owner and administrators, in person. Repeating the request without an `Idempotency-Key` creates a second agent.',
      records: ['agent.created'],
      problems: ['quota_exceeded', ...given],
      body: { name: settings.name, description: settings.description, scopes: settings.scopes, folderIds: settings.folderIds },
      answer: agent,
    },
    updateAgent: {
      text: 'Changes the members that you send; in `model`, `tools` and `limits` only the members within them. To add scopes and folders, the caller must have them; existing ones stay. Each change creates a version, and the newest 100 are kept.',
      records: ['agent.updated'],
      problems: given,
      body: { limits: { maxSteps: 12 } },
      answer: { ...agent, limits: { ...limits, maxSteps: 12 }, updatedAt: desk.tuesday },
    },
    deleteAgent: {
      text: 'Deletes an agent permanently, with its versions and shares. The journal keeps its creator and changes. Responds 409 for the agent `main`. A repetition responds 404.',
      records: ['agent.deleted'],
      problems: ['agent_is_default', 'agent_in_use'],
    },
    listAgentVersions: {
      text: 'Lists the versions of an agent’s settings, newest first, with actor and time. Chancery keeps the newest 100.',
      answer: [{ version: 1, changedBy: desk.olivia.id, changedAt: desk.monday, agent: settings }],
    },
    revertAgent: {
      text: 'Restores the settings of an earlier version as a new version. The caller must have the scopes and folders that this adds. A stop stays.',
      records: ['agent.updated'],
      problems: ['approval_policy_not_found', 'skill_not_found', 'scope_not_held', 'folder_not_found'],
      body: { version: 1 },
      answer: { ...agent, updatedAt: desk.wednesday },
    },
    stopAgent: {
      text: 'Stops an agent until `startAgent`: it cannot run. Readers of the agent see the actor, time and reason of the stop. A repetition changes nothing.',
      records: ['agent.stopped'],
      body: { reason: why },
      answer: { ...agent, stopped: { ...stopped, everyAgent: false } },
    },
    startAgent: {
      text: 'Starts a stopped agent. Responds 409 if the agent itself is not stopped.',
      records: ['agent.started'],
      problems: ['agent_not_stopped'],
      answer: agent,
    },
    getAgentsStop: {
      text: 'Returns whether all agents of the team are stopped, with the actor, time and reason.',
      answer: { stopped: true, ...stopped },
    },
    stopAgents: {
      text: 'Stops all agents of the team, including future ones, until `startAgents`. A repetition changes nothing.',
      records: ['agents.stopped'],
      body: { reason: why },
      answer: { stopped: true, ...stopped },
    },
    startAgents: {
      text: 'Starts the agents of the team again. Agents that were stopped individually stay stopped. Responds 409 if the agents of the team are not stopped.',
      records: ['agents.started'],
      problems: ['agent_not_stopped'],
      answer: { stopped: false },
    },
    listAgentShares: {
      text: 'Lists the shares of an agent, with the grantor of each. For the owner and administrators, and API clients that can read agents.',
      answer: [share],
    },
    shareAgent: {
      text: 'Gives a member, a group or the whole team the right to see and run an agent, but not to change it. An agent never has more access than the person it runs for. A second share with the same principal replaces the first.',
      records: ['agent.shared'],
      problems: ['member_not_found', 'group_not_found'],
      body: { userId: desk.priya.id },
      answer: share,
    },
    listAgentCallers: {
      text: 'Lists the API clients that may start an agent, each with the member who consented. The owner and administrators see all, others their own.',
      answer: [caller],
    },
    allowAgentCaller: {
      text: 'Lets an API client with `agents:run` start the agent on your behalf, with your rights. It ends with `DELETE`, when you leave the team, while you are suspended, and when the client ends. A repetition changes nothing. An API client acts on behalf of one member for each agent.',
      records: ['agent.caller_allowed'],
      problems: ['client_not_found', 'consent_of_another', 'consent_limit'],
      body: { clientId: desk.client.id },
      answer: caller,
    },
    endAgentCaller: {
      text: 'Ends the consent to an API client. For the member who consented, and the owner and administrators. Runs that have started go on. A repetition responds 404.',
      records: ['agent.caller_ended'],
    },
    listAgentFiles: {
      text: 'Lists all files of an agent by name. For the owner and administrators, and API clients that can read agents. Send the `etag` of a file as `If-Match` to write it.',
      answer: { agentId: desk.agent, files: [{ ...entry, etag: '"2"' }] },
    },
    readAgentFile: {
      text: 'Returns a file, or one of its stored versions with `version`. Encode the name in the path, with its slashes: `playbooks%2Fnda.md`. Upper and lower case count as the same. An invalid name, such as `../../secret`, gets 400.',
      answer: { agentId: desk.agent, file },
    },
    writeAgentFile: {
      text: 'Writes a complete file: a new one, or the next version of an existing one. A file has at most 256 KiB of UTF-8, an agent 200 files and 10 MiB. With `If-Match`, exactly one of several concurrent writes succeeds; without it the last one wins. Names are stored in Unicode NFC. They have at most 8 parts of 255 bytes each and 500 bytes in all, and cannot leave the folder of the agent.',
      records: ['agent.file_written'],
      problems: ['agent_file_limit', 'file_path_conflict'],
      body: { content: file.content },
      answer: { agentId: desk.agent, file },
    },
    deleteAgentFile: {
      text: 'Deletes a file permanently, with its versions. The journal keeps its writers and its deletion. A repetition responds 404.',
      records: ['agent.file_deleted'],
    },
    listAgentFileVersions: {
      text: 'Lists the stored versions of a file, or of all files of the agent, newest first, with writer and time. Chancery keeps the newest 20 of each file. A response has at most 200. To read the content of a version, read the file with `version`.',
      answer: {
        agentId: desk.agent,
        versions: [{ name: file.name, version: 2, size: file.size, changedBy: desk.olivia.id, changedAt: desk.tuesday }],
      },
    },
    restoreAgentFile: {
      text: 'Writes the content of an earlier version as the next version of the file. The versions between stay.',
      records: ['agent.file_restored'],
      problems: ['agent_file_limit'],
      body: { version: 1 },
      answer: { agentId: desk.agent, file: { ...file, version: 3, updatedAt: desk.wednesday } },
    },
    deleteAgentShare: {
      text: 'Ends a share. Users without another share lose the agent from the next request on, and their runs of it end. A repetition responds 404.',
      records: ['agent.unshared'],
    },
  },
  members: {
    ...skillTexts.members,
    ...serverTexts.members,
    'AgentPresetEntry.name': 'The display name',
    'AgentPresetEntry.description': 'The purpose',
    'AgentPreset.name': 'The display name',
    'AgentPreset.description': 'The purpose',
    'AgentPresetFile.name': 'The name, with its folders',
    'AgentPresetFile.content': 'The complete text',
    'AgentPresetConflict.name': 'The file or member',
    'AgentTool.title': 'The display name',
    'AgentTool.description': 'The effect of the tool, for the model',
    'AgentFileEntry.name': 'The name, with its folders',
    'AgentFile.name': 'The name, with its folders',
    'AgentFile.content': 'The complete text',
    'AgentFileVersion.name': 'The name, with its folders',
    'AgentFileVersion.size': 'Size in bytes of UTF-8',
    'AgentFileVersion.changedAt': 'The time of the write',
    'Agent.name': 'The display name',
    'Agent.description': 'The purpose',
    'Agent.stopped': 'The actor, time and reason of the stop; absent while the agent can run',
    'AgentVersion.version': 'The version number, starting at 1',
    'AgentVersion.changedAt': 'The time of the change',
    'AgentVersion.agent': 'The settings of the agent',
  },
};
