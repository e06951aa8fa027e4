import { type View, viewSql } from '#access';
import { openedText } from './giver-queries.ts';

const byGrant = `by_grant AS MATERIALIZED (
    SELECT o.document_id, CASE WHEN bool_or(o.kept IS NULL) THEN NULL ELSE max(o.kept) END AS kept FROM opened o GROUP BY o.document_id)`;
const inReach = '(d.folder_id IN (SELECT a.id FROM area a)) IS TRUE';

/**
 * Which of some documents `d` are open to a view, and how: as their list has it, and asked of each of them instead of walked. Beside `where`
 * the statement asks whether the barrier of each is open. `kept`: the version that somebody keeps as a record, where that is all they have.
 */
export const opens: Record<View, { ctes: string; join: string; kept: string; where: string }> = {
  granted: {
    ctes: `${viewSql.granted}, ${openedText}, ${byGrant}`,
    join: 'LEFT JOIN by_grant g ON g.document_id = d.id',
    kept: `CASE WHEN d.user_id = $user OR ${inReach} THEN NULL ELSE g.kept END`,
    where: `(d.user_id = $user OR ${inReach} OR g.document_id IS NOT NULL)`,
  },
  all: { ctes: viewSql.all, join: '', kept: 'NULL::integer', where: 'true' },
};

/** Something of each view. */
export const eachView = <T>(make: (view: View) => T): Record<View, T> => ({ all: make('all'), granted: make('granted') });
