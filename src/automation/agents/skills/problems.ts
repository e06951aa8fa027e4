import { defineProblems } from '../../../platform/problems.ts';

export const skillProblems = defineProblems({
  skill_builtin: {
    status: 409,
    title: 'The service brings this skill',
    help: 'Skills with `source: builtin` come with the service, and are the same for all teams. Read one with `GET /ws/api/agents/skills/file`, and install what you make of it under another name.',
  },
  skill_exists: {
    status: 409,
    title: 'There is a skill of this name',
    help: 'A team has one skill of a name. Replace it with `PUT /ws/api/agents/skills/{skillName}`, which makes its next version, or install yours under another name.',
  },
  skill_not_found: {
    status: 422,
    title: 'There is no such skill',
    help: 'An agent is given skills by name. `GET /ws/api/agents/skills` lists those that there are; install the other first, or leave it out.',
  },
});
