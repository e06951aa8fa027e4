import { skillProblems } from './problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { builtins } from './builtin.ts';
import { lockSkills, namesOf } from './queries.ts';

/** Serializes changes of the skills of a team and of their agents. Acquire this lock before the locks of agents. */
export async function lockSkillChanges({ db, team }: Scope): Promise<void> {
  await db.all(lockSkills, { team });
}

/** Returns the distinct names of the requested skills, after a check that they exist. Throws 422 `skill_not_found`. */
export async function knownSkills({ db, team }: Scope, wanted: readonly string[]): Promise<string[]> {
  const names = [...new Set(wanted)];
  const brought = await builtins();
  const others = names.filter((name) => !brought.has(name));
  const there = new Set(others.length === 0 ? [] : (await db.all(namesOf, { team, names: others })).map(({ name }) => name));
  const missing = others.filter((name) => !there.has(name));
  if (missing.length === 0) return names;
  throw skillProblems.skill_not_found(
    `These skills do not exist: ${missing.slice(0, 5).join(', ')}. Install them first, or remove them from the list.`,
    {
      errors: [{ name: 'skills', pointer: '/skills', reason: 'contains a skill that does not exist', rule: 'skill' }],
    },
  );
}
