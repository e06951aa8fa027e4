import { sqlStatement } from '../../platform/database/statement.ts';
import { doneByViewers } from './access.ts';
import { decisions } from './kinds.ts';

const listed = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ');

/** Condition: the type of task is a decision. */
export const isDecisionSql = (type: string) => `${type} IN (${listed(decisions)})`;

/**
 * The persons with a conflict of interest in the decision of a task, by the two-person rule. `late`: only conflicts from actions after the start of
 * the workflow.
 */
export const conflictedPersons = sqlStatement<{ team: string; id: string }, { id: string; late: boolean }>(
  'SELECT person AS id, late FROM conflicted_persons($team, $id)',
  { id: 'the function returns no null', late: 'as above' },
);

/** Expressions for a task to assign. `about`: its document; `conflicted`: a query of the persons who may not decide. */
type EligibilityInput = { type: string; about: string; conflicted: string };

/**
 * Condition: the member `a` may be assigned a task. Viewers get only tasks that they may complete, and auditors none. No decision goes to a person with a conflict of
 * interest. No task goes to a person excluded by a barrier around its document.
 */
export const eligibleSql = ({
  type,
  about,
  conflicted,
}: EligibilityInput) => `a.role <> 'auditor' AND (a.role <> 'viewer' OR ${type} IN (${listed(doneByViewers)}))
      AND NOT (${isDecisionSql(type)} AND a.id IN (${conflicted})) AND NOT document_outsider($team, ${about}, a.id)`;

/**
 * Query: the unclaimed open tasks `t` of the groups of a person, which they may claim. One search for each group: with `ANY`, a kept plan under row-level
 * security would read the tasks of all groups. `page`: what follows the conditions.
 */
export const claimableSql = ({ person, page = '' }: { person: string; page?: string }) =>
  `SELECT t.* FROM unnest(access_principals($team, ${person}::uuid, true)) AS g(id) CROSS JOIN LATERAL (
     SELECT t.* FROM (SELECT * FROM task o WHERE o.team_id = $team AND o.assigned_group_id = g.id AND o.status = 'open' AND o.assigned_to IS NULL OFFSET 0) t
     WHERE EXISTS (SELECT FROM member a WHERE a.team_id = $team AND a.id = ${person}::uuid
       AND ${eligibleSql({ type: 't.type', about: 't.about_document_id', conflicted: 'SELECT c.person FROM conflicted_persons($team, t.id) c' })})
     ${page}
   ) t`;

/** Selects the workflows with an open task that a person can complete, or claim for one of their groups. */
export const workflowsWaitingFor = sqlStatement<{ team: string; person: string }, { ids: string[] }>(
  `SELECT ARRAY(
    SELECT t.workflow_id FROM task t WHERE t.team_id = $team AND t.assigned_to = $person::uuid AND t.status = 'open' AND NOT t.paused AND t.workflow_id IS NOT NULL
    UNION SELECT c.workflow_id FROM (${claimableSql({ person: '$person', page: 'AND NOT t.paused AND t.workflow_id IS NOT NULL' })}) c
  ) AS ids`,
);

/** Expression for the successor of a member who leaves (`$from`): `$to` if eligible, else an eligible owner or administrator, else null. */
export const successorSql = (given: EligibilityInput) => `(
    SELECT a.id FROM member a WHERE a.team_id = $team AND a.id <> $from AND (a.id = $to OR a.role IN ('owner', 'admin')) AND ${eligibleSql(given)}
    ORDER BY a.id <> $to, a.role <> 'owner', a.id LIMIT 1
  )`;
