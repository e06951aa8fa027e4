import { grantedDocuments, type View, viewSql } from '#access';

const inReach = 'd.folder_id IN (SELECT a.id FROM area a)';

/**
 * Conditions on the documents `d` that a view may see: as CTEs for a list, or as a condition for each document. In addition to `where`, the statement
 * checks that no barrier excludes the caller from a document.
 */
export const opens: Record<View, { ctes: string; where: string }> = {
  granted: {
    ctes: `${viewSql.granted}, ${grantedDocuments}`,
    where: `(d.user_id = $user OR ${inReach} OR d.id IN (SELECT g.document_id FROM opened g))`,
  },
  all: { ctes: viewSql.all, where: 'true' },
};

/** Builds one value for each view. */
export const eachView = <T>(make: (view: View) => T): Record<View, T> => ({ all: make('all'), granted: make('granted') });
