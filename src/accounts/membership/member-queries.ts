import { sqlStatement } from '../../platform/database/statement.ts';

type One = { team: string; id: string };
/** Whoever is in a team now, with their role. */
export type Member = { id: string; role: string };

const active = "SELECT id, role FROM account WHERE team_id = $team AND id = $id AND status = 'active' AND deleted_at IS NULL";

/** An active member of the team; no row for anybody else. */
export const activeMember = sqlStatement<One, Member>(active);

/** The same, who stays a member until the transaction ends, so that nobody is given what they leave behind. */
export const holdMember = sqlStatement<One, Member>(`${active} FOR SHARE`);
