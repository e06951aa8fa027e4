import { grantedDocuments, type View, viewSql } from '#access';

const inReach = 'd.folder_id IN (SELECT a.id FROM area a)';

/**
 * Which of some documents `d` are open to a view, and how: as their list has it, and asked of each of them instead of walked. Beside `where`
 * the statement asks whether the barrier of each is open.
 */
export const opens: Record<View, { ctes: string; where: string }> = {
  granted: {
    ctes: `${viewSql.granted}, ${grantedDocuments}`,
    where: `(d.user_id = $user OR ${inReach} OR d.id IN (SELECT g.document_id FROM opened g))`,
  },
  all: { ctes: viewSql.all, where: 'true' },
};

/** Something of each view. */
export const eachView = <T>(make: (view: View) => T): Record<View, T> => ({ all: make('all'), granted: make('granted') });
