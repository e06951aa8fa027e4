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
    help: 'Only stopped agents can be started. Start an agent with its own `start`, or all agents with `POST /ws/api/agents/start`. `stopped` of an agent says which stop applies.',
  },
  agent_file_limit: {
    status: 409,
    title: 'Agent file limit reached',
    help: 'An agent can have at most 200 files of 256 KiB each, and 10 MiB in all. List the files, and delete those that you no longer need.',
  },
  file_path_conflict: {
    status: 409,
    title: 'File path conflict',
    help: 'The text before a slash in a name is a folder. If there is a file `notes`, there can be no `notes/today.md`. Upper and lower case count as the same. Choose another name.',
  },
  scope_not_for_agents: {
    status: 422,
    title: 'Scope not available to agents',
    help: 'Agents can work with folders, documents, workflows, tasks, forms and registries, and read signatures, members and the journal. They cannot manage people, clients, webhooks or agents, and cannot sign.',
  },
});
