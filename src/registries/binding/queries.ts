import { sqlStatement } from '../../platform/database/statement.ts';
import { leftSinceText, memberText } from '#teams';
import { valuesText } from '../queries.ts';

/** Erases what submissions have made, with what it is found by and what it was before. */
export const eraseOfSubmissions = sqlStatement<{ team: string; submissions: readonly string[] }, { id: string; registry_id: string }>(
  `WITH made AS MATERIALIZED (
     SELECT registry_id, id, state, keys FROM registry_record WHERE team_id = $team AND submission_id = ANY ($submissions::uuid[])
     ORDER BY registry_id, id FOR UPDATE
   ), valueless AS (
     DELETE FROM registry_value v USING made CROSS JOIN LATERAL ${valuesText('made')} k
     WHERE v.team_id = $team AND v.registry_id = made.registry_id AND v.state = made.state AND v.field = k.field AND v.key = k.key AND v.record_id = made.id
   ), freed AS (
     DELETE FROM registry_unique_value u USING made WHERE u.team_id = $team AND u.registry_id = made.registry_id AND u.record_id = made.id
   )
   DELETE FROM registry_record r USING made WHERE r.team_id = $team AND r.registry_id = made.registry_id AND r.id = made.id
   RETURNING r.id, r.registry_id`,
);

/** An active member who has not left the team since a time. */
export const memberSince = sqlStatement<{ team: string; id: string; since: string }, { id: string; role: string }>(
  `${memberText('a.id, a.role', '$id')} AND NOT ${leftSinceText('$team', '$id', '$since::timestamptz')}`,
);
