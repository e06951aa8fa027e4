import { defineProblems } from '../../platform/problems.ts';

export const agentProblems = defineProblems({
  agent_is_default: {
    status: 409,
    title: 'The team’s main agent stays',
    help: 'Every team has its agent `main`. Change it, switch it off with `enabled: false`, or stop it with `POST /ws/api/agents/main/stop`.',
  },
  agent_not_stopped: {
    status: 409,
    title: 'It is not stopped',
    help: 'Only what was stopped is started again: an agent with its own `start`, all agents of the team with `POST /ws/api/agents/start`. `stopped` of an agent says which of the two stands.',
  },
  agent_file_limit: {
    status: 409,
    title: 'The agent has as many files as it may',
    help: 'An agent has at most 200 files of 256 KiB each, and 10 MiB in all. List them, and delete what is no longer needed.',
  },
  file_path_conflict: {
    status: 409,
    title: 'A file and a folder would have one name',
    help: 'What stands before a slash in a name is a folder: where there is a file `notes`, there is no `notes/today.md`. Upper and lower case count as the same.',
  },
  scope_not_for_agents: {
    status: 422,
    title: 'No agent has this scope',
    help: 'An agent works with folders, documents, workflows, tasks, forms and registries, and reads signatures, members and the journal. It never manages people, programs, webhooks or agents, and never signs.',
  },
});
