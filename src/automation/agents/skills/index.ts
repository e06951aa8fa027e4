/** Skills: texts in the public format of agent skills, installed by a team or brought by the service, that agents read when they need them. */
export { holdSkills, knownSkills } from './known.ts';
export { skillRoutes } from './routes.ts';
export { readSkill, type SkillOfAgent, skillsOf } from './use.ts';
