import { sqlStatement } from '../../platform/database/statement.ts';
import { doneByViewers } from './access.ts';
import { decisions } from './kinds.ts';

const listed = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ');

/** Whether a type of task decides on something, as a condition. */
export const isDecisionSql = (type: string) => `${type} IN (${listed(decisions)})`;

/** The persons whom the two-person rule keeps from the decision of a task. `late`: because of something after the start of its workflow. */
export const conflictedPersons = sqlStatement<{ team: string; id: string }, { id: string; late: boolean }>(
  'SELECT person AS id, late FROM conflicted_persons($team, $id)',
  { id: 'the function returns no null', late: 'as above' },
);

/** Expressions for a task that is to be given. `about`: its document; `conflicted`: a query of the persons who may not decide. */
type EligibilityInput = { type: string; about: string; conflicted: string };

/**
 * Whether the member `a` may be given a task, as a condition: viewers get what they complete, no decision goes to a person with a conflict of
 * interest, and nothing to a person outside of the barrier around its document.
 */
export const eligibleSql = ({ type, about, conflicted }: EligibilityInput) => `(a.role <> 'viewer' OR ${type} IN (${listed(doneByViewers)}))
      AND NOT (${isDecisionSql(type)} AND a.id IN (${conflicted})) AND NOT document_outsider($team, ${about}, a.id)`;

/**
 * Who takes over from a member who leaves (`$from`), as an expression: the successor (`$to`), or where they are not eligible, the owner of
 * the team or an administrator who is; null where nobody is.
 */
export const successorSql = (given: EligibilityInput) => `(
    SELECT a.id FROM member a WHERE a.team_id = $team AND a.id <> $from AND (a.id = $to OR a.role IN ('owner', 'admin')) AND ${eligibleSql(given)}
    ORDER BY a.id <> $to, a.role <> 'owner', a.id LIMIT 1
  )`;
