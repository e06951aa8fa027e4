import { sqlStatement } from '../../platform/database/statement.ts';

export type ShareRow = {
  id: string;
  interface_id: string;
  user_id: string | null;
  rights: ('edit' | 'submissions')[];
  created_by: string;
  created_at: string;
};
const columns = 'id, interface_id, user_id, rights, created_by, created_at';
type OfInterface = { team: string; interface: string };

const because = { rights: 'the table takes no other' };
export const listShares = sqlStatement<OfInterface, ShareRow>(
  `SELECT ${columns} FROM interface_share WHERE team_id = $team AND interface_id = $interface ORDER BY id LIMIT 10000`,
  because,
);

/** A second share with the same person, or the team, changes the first. */
export const putShare = sqlStatement<
  OfInterface & { id: string; user: string | null; rights: readonly string[]; by: string; at: Date },
  ShareRow
>(
  `INSERT INTO interface_share (team_id, id, interface_id, user_id, rights, created_by, created_at)
   VALUES ($team, $id, $interface, $user, $rights, $by, $at)
   ON CONFLICT ON CONSTRAINT interface_share_once DO UPDATE SET rights = excluded.rights, created_by = excluded.created_by
   RETURNING ${columns}`,
  because,
);

export const deleteShare = sqlStatement<OfInterface & { id: string }, { user_id: string | null; rights: string[] }>(
  'DELETE FROM interface_share WHERE team_id = $team AND interface_id = $interface AND id = $id RETURNING user_id, rights',
);
export const dropSharesWith = sqlStatement<{ team: string; user: string }, never>(
  'DELETE FROM interface_share WHERE team_id = $team AND user_id = $user',
);
/** A share with whoever owns the interface says nothing any more. */
export const dropSharesOfOwner = sqlStatement<{ team: string; user: string }, never>(
  `DELETE FROM interface_share s USING interface i
   WHERE s.team_id = $team AND s.user_id = $user AND i.team_id = $team AND i.id = s.interface_id AND i.owner_id = $user`,
);
