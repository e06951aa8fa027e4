import type { Scope } from '../../../platform/scope.ts';
import type { FormBinding } from '../form-binding.ts';
import type { Definition } from '../schemas.ts';
import type { Visited } from '../visitor.ts';
import { submissionProblems } from './problems.ts';
import * as queries from './queries.ts';

/** A submitted version, and the member whose rights apply to its effects. */
export type AnsweredVersion = { number: number; definition: Definition; uses_by: string; bindings: readonly FormBinding[] };

/** How long pages with the previous version can still submit: one day. */
const graceMs = 24 * 3_600_000;

/**
 * Returns the submitted version; the current one by default. Accepts an older version for a day, unless a later version superseded it
 * at once. Throws 409 `version_superseded`.
 */
export async function answeredVersion(
  scope: Pick<Scope, 'db' | 'now'>,
  visited: Visited,
  number: number | undefined,
): Promise<AnsweredVersion> {
  const current = { ...visited, number: visited.version };
  if (number === undefined || number === current.number) return current;
  const found = await scope.db.first(queries.answeredVersion, { team: visited.team, interface: visited.id, number });
  const over = found?.superseded_at ? scope.now.getTime() - new Date(found.superseded_at).getTime() : Number.POSITIVE_INFINITY;
  if (found && !found.at_once && over < graceMs) return found;
  throw submissionProblems.version_superseded(
    `Version ${number} of this form was replaced by version ${current.number}. Read the form again and check the answers.`,
    { members: { version: current.number } },
  );
}
