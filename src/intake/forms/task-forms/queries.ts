import type { Field } from '#fields';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type OfTask = { team: string; task: string };

/** The link of a task that counts, and whose it is. */
export const linkOfTask = sqlStatement<OfTask, Row<'interface_link', 'id' | 'person_id' | 'sealed'>>(
  "SELECT id, person_id, sealed FROM interface_link WHERE team_id = $team AND task_id = $task AND channel = 'task' AND retired_at IS NULL",
);

/** Ends the link of a task: it was given to somebody else. */
export const endLinkOfTask = sqlStatement<OfTask & { at: Date }, never>(
  "UPDATE interface_link SET retired_at = $at WHERE team_id = $team AND task_id = $task AND channel = 'task' AND retired_at IS NULL",
);

/** Gives a task a link; none where it has one by now. */
export const insertLinkOfTask = sqlStatement<
  OfTask & { id: string; interface: string; person: string; hash: Buffer; sealed: Buffer; at: Date },
  { id: string }
>(
  `INSERT INTO interface_link (team_id, id, interface_id, channel, task_id, person_id, hash, sealed, created_at)
   VALUES ($team, $id, $interface, 'task', $task, $person, $hash, $sealed, $at)
   ON CONFLICT (team_id, task_id) WHERE retired_at IS NULL AND channel = 'task' DO NOTHING RETURNING id`,
);

/** Whether a form takes answers now, and whose it is. */
export const formOfTask = sqlStatement<{ team: string; id: string }, { title: string; owner_id: string; published: boolean }>(
  `SELECT title, owner_id, coalesce(published_version IS NOT NULL AND status = 'published' AND suspended_at IS NULL, false) AS published
   FROM interface WHERE team_id = $team AND id = $id AND deleted_at IS NULL`,
);

/** The fields of a form as it is published; no row where it never was. */
export const publishedFields = sqlStatement<{ team: string; id: string }, { fields: Field[] }>(
  `SELECT v.definition -> 'fields' AS fields FROM interface i
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   WHERE i.team_id = $team AND i.id = $id`,
  { fields: 'every definition has them' },
);
