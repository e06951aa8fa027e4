import type { Field } from '#fields';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { Definition } from '../schemas.ts';

type OfTask = { team: string; task: string };

/** Returns the current link of a task and its assignee. */
export const linkOfTask = sqlStatement<OfTask, Row<'interface_link', 'id' | 'person_id' | 'sealed'>>(
  "SELECT id, person_id, sealed FROM interface_link WHERE team_id = $team AND task_id = $task AND channel = 'task' AND retired_at IS NULL",
);

/** Retires the link of a reassigned task. */
export const endLinkOfTask = sqlStatement<OfTask & { at: Date }, never>(
  "UPDATE interface_link SET retired_at = $at WHERE team_id = $team AND task_id = $task AND channel = 'task' AND retired_at IS NULL",
);

/** Creates the link of a task. Returns no row if it already has one. */
export const insertLinkOfTask = sqlStatement<
  OfTask & { id: string; interface: string; person: string; hash: Buffer; sealed: Buffer; at: Date },
  { id: string }
>(
  `INSERT INTO interface_link (team_id, id, interface_id, channel, task_id, person_id, hash, sealed, created_at)
   VALUES ($team, $id, $interface, 'task', $task, $person, $hash, $sealed, $at)
   ON CONFLICT (team_id, task_id) WHERE retired_at IS NULL AND channel = 'task' DO NOTHING RETURNING id`,
);

/** Returns whether a form accepts submissions, and its owner. */
export const formOfTask = sqlStatement<{ team: string; id: string }, { title: string; owner_id: string; published: boolean }>(
  `SELECT title, owner_id, coalesce(published_version IS NOT NULL AND status = 'published' AND suspended_at IS NULL, false) AS published
   FROM interface WHERE team_id = $team AND id = $id AND deleted_at IS NULL`,
);

/** Returns the fields of the published form, or no row before the first publication. */
export const publishedFields = sqlStatement<{ team: string; id: string }, { fields: Field[] }>(
  `SELECT v.definition -> 'fields' AS fields FROM interface i
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   WHERE i.team_id = $team AND i.id = $id`,
  { fields: 'a definition has fields' },
);

/** The form of a submission, with the version that it answers. */
export const formOfSubmission = sqlStatement<TeamScopedId, { interface_id: string; definition: Definition }>(
  `SELECT s.interface_id, v.definition FROM submission s
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = s.interface_id AND v.number = s.version
   WHERE s.team_id = $team AND s.id = $id`,
);
