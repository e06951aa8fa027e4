import { sqlStatement } from '../platform/database/statement.ts';

export type ShareRow = {
  id: string;
  template_id: string;
  user_id: string | null;
  access: 'read' | 'write';
  created_by: string;
  created_at: string;
};
const columns = 'id, template_id, user_id, access, created_by, created_at';

/** With a person, or the whole team where `user` is null; a second share with the same changes the first. */
export const putShare = sqlStatement<
  { team: string; id: string; template: string; user: string | null; access: string; by: string; at: Date },
  ShareRow
>(
  `INSERT INTO document_template_share (team_id, id, template_id, user_id, access, created_by, created_at)
   VALUES ($team, $id, $template, $user, $access, $by, $at)
   ON CONFLICT ON CONSTRAINT document_template_share_once DO UPDATE SET access = excluded.access, created_by = excluded.created_by
   RETURNING ${columns}`,
);

export const deleteShare = sqlStatement<{ team: string; template: string; id: string }, ShareRow>(
  `DELETE FROM document_template_share WHERE team_id = $team AND template_id = $template AND id = $id RETURNING ${columns}`,
);

export const listShares = sqlStatement<{ team: string; template: string }, ShareRow>(
  // Ordered outside of where they are found: in their order the shares of all templates would be looked through.
  `SELECT ${columns} FROM (SELECT * FROM document_template_share WHERE team_id = $team AND template_id = $template OFFSET 0) s ORDER BY id LIMIT 10000`,
);

/** Ends all that somebody who leaves was given. */
export const dropSharesWith = sqlStatement<{ team: string; user: string }, never>(
  'DELETE FROM document_template_share WHERE team_id = $team AND user_id = $user',
);

/** A share with the person whose template it is now says nothing any more. */
export const dropOwnShares = sqlStatement<{ team: string; user: string }, never>(
  `DELETE FROM document_template_share s USING document_template r
   WHERE s.team_id = $team AND s.user_id = $user AND r.team_id = $team AND r.id = s.template_id AND r.user_id = $user`,
);
