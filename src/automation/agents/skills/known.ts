import { skillProblems } from './problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { builtins } from './builtin.ts';
import { lockSkills, namesOf } from './queries.ts';

/** Has changes of the team's skills, and of which agents have them, wait for one another. Before the locks of agents. */
export async function holdSkills({ db, team }: Scope): Promise<void> {
  await db.all(lockSkills, { team });
}

/** The names of skills that an agent is to have, once it is sure that there are such. Errors: 422 `skill_not_found`. */
export async function knownSkills({ db, team }: Scope, wanted: readonly string[]): Promise<string[]> {
  const names = [...new Set(wanted)];
  const brought = await builtins();
  const others = names.filter((name) => !brought.has(name));
  const there = new Set(others.length === 0 ? [] : (await db.all(namesOf, { team, names: others })).map(({ name }) => name));
  const missing = others.filter((name) => !there.has(name));
  if (missing.length === 0) return names;
  throw skillProblems.skill_not_found(`There is no skill ${missing.slice(0, 5).join(', ')}. List the skills, and install it first.`, {
    errors: [{ name: 'skills', pointer: '/skills', reason: 'names a skill that there is not', rule: 'skill' }],
  });
}
