import { defineProblems } from '../../../platform/problems.ts';

export const skillProblems = defineProblems({
  skill_builtin: {
    status: 409,
    title: 'Built-in skill',
    help: 'Skills with `source: builtin` are part of the service and the same for all teams. To change one, read it with `GET /ws/api/agents/skills/file`, and install your version under another name.',
  },
  skill_exists: {
    status: 409,
    title: 'Skill name in use',
    help: 'A team can have one skill of each name. Replace it with `PUT /ws/api/agents/skills/{skillName}`, which creates its next version, or use another name.',
  },
  skill_not_found: {
    status: 422,
    title: 'Skill not found',
    help: 'Agents refer to skills by name. `GET /ws/api/agents/skills` lists them. Install the missing one first, or leave it out.',
  },
});
