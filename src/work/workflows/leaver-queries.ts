import { isDecisionSql, successorSql } from '#tasks';
import { conflictedOfStepSql } from './document-queries.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

const live = "w.status IN ('draft', 'active', 'paused')";
/** Expression: whether the readers of a workflow see a difference. They do not see the owner. */
const changes = `(${live} OR w.assigned_to = $from)`;

/**
 * Transfers the workflows of a member who leaves to the successor, who becomes their owner and replaces the member as their assignee.
 *
 * - In the steps of unfinished workflows an eligible member replaces the leaving one. That includes completed steps, because a rejection may lead
 *   back to them.
 * - The successor also becomes the assignee of unfinished workflows without an assignee that the member owned.
 * - A decision without an eligible member is vacant. Two decisions of a step never go to the same person.
 * - A decision without named assignees goes to an eligible member if the successor may not decide.
 */
export const handOverWorkflows = sqlStatement<{ team: string; from: string; to: string; at: Date }, never>(
  `WITH concerned AS (
     SELECT s.workflow_id, s.id, $from = ANY (s.assignees) AS named, ${isDecisionSql('s.type')} AS decides,
       ${successorSql({
         type: 's.type',
         about: 'w.about_document_id',
         conflicted: `${conflictedOfStepSql} UNION ALL SELECT unnest(s.assignees)`,
       })} AS heir
     FROM workflow w JOIN workflow_step s ON s.team_id = $team AND s.workflow_id = w.id
     WHERE w.team_id = $team AND ${live}
       AND ($from = ANY (s.assignees) OR (s.assignees = '{}' AND s.roles = '{}' AND s.groups = '{}' AND NOT s.vacant AND ${isDecisionSql('s.type')} AND NOT s.config ? 'approval'
         AND (w.assigned_to = $from OR w.assigned_to IS NULL AND w.owner_id = $from)))
   ),
   steps AS (
     UPDATE workflow_step s SET
       assignees = CASE
         WHEN NOT c.named THEN CASE WHEN c.heir IS NULL THEN s.assignees ELSE ARRAY[c.heir] END
         WHEN c.heir IS NULL OR c.heir = ANY (s.assignees) THEN array_remove(s.assignees, $from::uuid)
         ELSE array_replace(s.assignees, $from::uuid, c.heir) END,
       vacant = s.vacant OR (c.decides AND c.heir IS NULL AND (NOT c.named OR s.mode = 'all' OR cardinality(s.assignees) = 1))
     FROM concerned c
     WHERE s.team_id = $team AND s.workflow_id = c.workflow_id AND s.id = c.id AND (c.named OR c.heir IS DISTINCT FROM $to)
   )
   UPDATE workflow w SET owner_id = CASE WHEN w.owner_id = $from THEN $to ELSE w.owner_id END,
     assigned_to = CASE WHEN w.assigned_to = $from OR ${live} AND w.assigned_to IS NULL AND w.owner_id = $from
       THEN (SELECT $to::uuid WHERE NOT document_outsider($team, w.about_document_id, $to)) ELSE w.assigned_to END,
     linked_by = CASE WHEN w.linked_by = $from AND ${live} THEN $to ELSE w.linked_by END,
     version = CASE WHEN ${changes} THEN w.version + 1 ELSE w.version END, updated_at = CASE WHEN ${changes} THEN $at ELSE w.updated_at END
   WHERE w.team_id = $team AND (w.owner_id = $from OR w.assigned_to = $from OR ${live} AND w.linked_by = $from)`,
);

/** Transfers the links of documents in unfinished workflows to the successor, with whose rights tasks grant access. */
export const handOverDocuments = sqlStatement<{ team: string; from: string; to: string }, never>(
  `UPDATE workflow_document d SET linked_by = $to FROM workflow w
   WHERE w.team_id = $team AND ${live} AND d.team_id = $team AND d.workflow_id = w.id AND d.linked_by = $from`,
);

/** Makes the successor the owner of the templates of a member who leaves. */
export const transferTemplates = sqlStatement<{ team: string; from: string; to: string }, never>(
  'UPDATE workflow_template SET owner_id = $to WHERE team_id = $team AND owner_id = $from',
);

/** Removes the workflow templates from key dates, where the workflow would use the rights of a member who leaves. */
export const endDateTemplates = sqlStatement<{ team: string; from: string }, never>(
  'UPDATE date_template SET set_by = NULL WHERE team_id = $team AND set_by = $from',
);
