import { personsText } from '#clients';
import { keptOutText, versionText } from '#documents';
import { membersText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';
import { decisions } from './kinds.ts';
import { doneByViewers } from './access.ts';
import { aboutDocument } from './barrier-queries.ts';
import { taskColumns, type TaskRow } from './queries.ts';

const listed = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ');
/** Whether a type of task decides on something, as a condition. */
export const decidesText = (type: string) => `${type} IN (${listed(decisions)})`;

/** Whether viewers complete a type of task, as a condition. */
export const viewersDoText = (type: string) => `${type} IN (${listed(doneByViewers)})`;

/** Who made what is decided on, as persons, as `reassignRefusal` asks. */
export const behindText = (maker: string, document: string, version: string) =>
  personsText(`${maker}, (${versionText('v.created_by', document, version)})`);

/** Whether `o` is another task of the round of the step that `t` is of, and stands: tasks of one round are made together. */
export const sameRoundText = `o.team_id = $team AND o.workflow_id = t.workflow_id AND o.step_id = t.step_id AND o.created_at = t.created_at
          AND o.id <> t.id AND o.status <> 'cancelled'`;

/** Who has a voice in the decision of a task beside who has the task. */
export const voicesBeside = sqlStatement<{ team: string; id: string }, { id: string }>(
  `SELECT DISTINCT voice.id FROM task t JOIN task o ON ${sameRoundText} CROSS JOIN LATERAL (VALUES (o.assigned_to), (o.completed_by)) voice (id)
   WHERE t.team_id = $team AND t.id = $id AND voice.id IS NOT NULL`,
);

/** A row when somebody, or a program they answer for, uploaded the version that is judged, while the workflow was under way. */
export const uploadedMeanwhile = sqlStatement<{ team: string; id: string; user: string }, { version: number }>(
  `SELECT v.number AS version FROM task t
   CROSS JOIN LATERAL workflow_in_short($team, t.workflow_id) w
   CROSS JOIN LATERAL (${versionText('v.number, v.created_by, v.created_at', 't.linked_document_id', 't.document_version')}) v
   WHERE t.team_id = $team AND t.id = $id AND v.created_at > w.started_at AND $user::uuid = ANY (${personsText('v.created_by')})`,
);

/**
 * Who takes over from somebody who leaves (`$from`), as an expression: the successor (`$to`), or where they may not, the owner or
 * an administrator who may; null where nobody may. A decision goes to nobody behind what is decided on, and to nobody who has
 * a voice in it already: two persons are meant. Nothing goes to whom a barrier keeps from the document, and what a viewer may not complete to none.
 *
 * @param of.document the document of which `of.version` is decided on
 * @param of.about the one that it is about, which nobody may name any more perhaps
 * @param of.voices a condition on the person `a` who has a voice in the same decision
 */
export const heirText = (of: { type: string; maker: string; document: string; about: string; version: string; voices: string }) => `(
    ${membersText('a.id')} AND a.id <> $from AND (a.id = $to OR a.role IN ('owner', 'admin'))
      AND (a.role <> 'viewer' OR ${viewersDoText(of.type)})
      AND NOT (${decidesText(of.type)} AND (a.id = ANY (${behindText(of.maker, of.document, of.version)}) OR ${of.voices}))
      AND NOT ${keptOutText(of.about, 'a.id')}
    ORDER BY a.id <> $to, a.role <> 'owner', a.id LIMIT 1
  )`;

/**
 * Whom a step of `roles` is given to, as an expression of an array: those of these roles who may do it, `most` at most, the first of them
 * by their identifiers. A decision is given to nobody behind what is decided on, and nothing to whom a barrier keeps from the document.
 */
export const eligibleText = (of: { roles: string; type: string; maker: string; document: string; version: string }, most: number) => `ARRAY(
    SELECT e.id FROM (${membersText('a.id')} AND a.role = ANY (${of.roles})
      AND (a.role <> 'viewer' OR ${viewersDoText(of.type)})
      AND NOT (${decidesText(of.type)} AND a.id = ANY (${behindText(of.maker, of.document, of.version)}))
      AND NOT ${keptOutText(of.document, 'a.id')} OFFSET 0
    ) e ORDER BY e.id LIMIT ${most}
  )`;

type Leaving = { team: string; from: string; to: string; at: Date };

/**
 * The successor becomes the owner of the tasks of a member who leaves. The member keeps no record of ended tasks, and nobody has a task in
 * their place. The documents of open tasks count as put there by the successor.
 */
export const transferTasks = sqlStatement<Leaving, never>(
  `WITH theirs AS MATERIALIZED (
     SELECT id FROM task WHERE team_id = $team AND owner_id = $from
     UNION SELECT id FROM task WHERE team_id = $team AND participant_id = $from
     UNION SELECT id FROM task WHERE team_id = $team AND on_behalf_of = $from
     UNION SELECT id FROM task WHERE team_id = $team AND linked_by = $from AND status = 'open'
   ),
   held AS MATERIALIZED (SELECT t.id FROM task t WHERE t.team_id = $team AND t.id IN (SELECT id FROM theirs) ORDER BY t.id FOR NO KEY UPDATE)
   UPDATE task t SET owner_id = CASE WHEN t.owner_id = $from THEN $to ELSE t.owner_id END,
     linked_by = CASE WHEN t.linked_by = $from AND t.status = 'open' THEN $to ELSE t.linked_by END,
     participant_id = nullif(t.participant_id, $from), on_behalf_of = nullif(t.on_behalf_of, $from),
     version = CASE WHEN t.on_behalf_of = $from THEN t.version + 1 ELSE t.version END,
     updated_at = CASE WHEN t.on_behalf_of = $from THEN $at ELSE t.updated_at END
   FROM held WHERE t.team_id = $team AND t.id = held.id`,
);

/** Open tasks of a member who leaves go to a person who may take them. */
export const handOverTasks = sqlStatement<Leaving, TaskRow>(
  `WITH handed AS (
     SELECT t.id, ${heirText({
       type: 't.type',
       maker: 't.created_by',
       document: 't.linked_document_id',
       about: aboutDocument('t'),
       version: 't.document_version',
       voices: `EXISTS (SELECT FROM task o WHERE ${sameRoundText} AND a.id IN (o.assigned_to, o.completed_by))`,
     })} AS heir
     FROM task t WHERE t.team_id = $team AND t.assigned_to = $from AND t.status = 'open'
   )
   UPDATE task SET assigned_to = handed.heir, on_behalf_of = NULL, assigned_at = $at, version = version + 1, updated_at = $at
   FROM handed WHERE task.team_id = $team AND task.id = handed.id RETURNING ${taskColumns}`,
);
