/** Skills: instructions in the public agent skills format, built in or installed by a team. Agents read them when needed. */
export { lockSkillChanges, knownSkills } from './known.ts';
export { skillRoutes } from './routes.ts';
export { readSkill, type SkillOfAgent, skillsOf } from './use.ts';
