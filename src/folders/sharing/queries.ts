import { sqlStatement, type Statement } from '../../platform/database/statement.ts';

export type GrantRow = {
  id: string;
  user_id: string | null;
  access: 'read' | 'write';
  created_by: string;
  created_at: string;
};
const columns = 'id, user_id, access, created_by, created_at';

type OfThing = { team: string; thing: string };
type OfPerson = { team: string; user: string };

/** The statements over the grants of one kind of thing. */
export type Grants = {
  /** With a person, or the whole team where `user` is null; a second share with the same changes the first. No row where the thing is gone. */
  put: Statement<OfThing & { id: string; user: string | null; access: string; by: string; at: Date }, GrantRow>;
  end: Statement<OfThing & { id: string }, GrantRow>;
  list: Statement<OfThing, GrantRow>;
  /** Ends all that somebody who leaves was given. */
  dropWith: Statement<OfPerson, never>;
  /** A share with the person whose thing it is now says nothing any more. */
  dropOwn: Statement<OfPerson, never>;
};

/** The same for a table `shares`, whose column `of` names a row of `things`; its constraint `<shares>_once` keeps one grant a person. */
export function grantsIn({ shares, of, things }: { shares: string; of: string; things: string }): Grants {
  return {
    put: sqlStatement(
      `WITH thing AS MATERIALIZED (SELECT id FROM ${things} WHERE team_id = $team AND id = $thing FOR KEY SHARE)
       INSERT INTO ${shares} (team_id, id, ${of}, user_id, access, created_by, created_at)
       SELECT $team, $id, thing.id, $user, $access, $by, $at FROM thing
       ON CONFLICT ON CONSTRAINT ${shares}_once DO UPDATE SET access = excluded.access, created_by = excluded.created_by
       RETURNING ${columns}`,
    ),
    end: sqlStatement(`DELETE FROM ${shares} WHERE team_id = $team AND ${of} = $thing AND id = $id RETURNING ${columns}`),
    list: sqlStatement(
      // Ordered outside of where they are found: in their order the shares of all things of the team would be looked through.
      `SELECT ${columns} FROM (SELECT * FROM ${shares} WHERE team_id = $team AND ${of} = $thing OFFSET 0) s ORDER BY id LIMIT 10000`,
    ),
    dropWith: sqlStatement(`DELETE FROM ${shares} WHERE team_id = $team AND user_id = $user`),
    dropOwn: sqlStatement(
      `DELETE FROM ${shares} s USING ${things} r
       WHERE s.team_id = $team AND s.user_id = $user AND r.team_id = $team AND r.id = s.${of} AND r.user_id = $user`,
    ),
  };
}
