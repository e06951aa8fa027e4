import { defineProblems } from '../../platform/problems.ts';

export const agentProblems = defineProblems({
  agent_is_default: {
    status: 409,
    title: 'Default agent cannot be deleted',
    help: 'Every team has the agent `main`. Change it, disable it with `enabled: false`, or stop it with `POST /ws/api/agents/main/stop`.',
  },
  agent_not_stopped: {
    status: 409,
    title: 'Agent not stopped',
    help: 'Only a stopped agent can be started. The member `stopped` of an agent shows whether the agent or all agents of the team were stopped. Start the agent with `POST /ws/api/agents/{agentId}/start`, or all agents with `POST /ws/api/agents/start`.',
  },
  agent_file_limit: {
    status: 409,
    title: 'Agent file limit reached',
    help: 'An agent can have at most 200 files of 256 KiB each, and 10 MiB in all. List the files, and delete those that you no longer need.',
  },
  file_path_conflict: {
    status: 409,
    title: 'File path conflict',
    help: 'The text before a slash in a name is a folder. A file `notes` and a file `notes/today.md` cannot exist together. Case does not matter. Choose another name.',
  },
  scope_not_for_agents: {
    status: 422,
    title: 'Scope not available to agents',
    help: 'Agents can work with folders, documents, workflows, tasks, forms and registries, and read signatures, members and the journal. They cannot manage people, clients, webhooks or agents, and cannot sign.',
  },
});
