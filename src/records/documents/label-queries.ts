import { grantedDocuments, isOpen, isSettled, type View, type Viewer, viewSql } from '#access';
import { sqlStatement } from '../../platform/database/statement.ts';
import { eachView } from './document-visibility-queries.ts';

/** Maximum labels in the list, and maximum documents with labels that are counted. */
const [listed, counted] = [500, 100_000];

type LabelsQuery = Viewer & { team: string };

const marked = (where: string) => `SELECT d.labels, d.label_keys FROM document d
    WHERE d.team_id = $team AND d.deleted_at IS NULL AND d.label_keys <> '{}' AND ${where}`;
const inBarriers = `SELECT d.* FROM open CROSS JOIN LATERAL (${marked(`d.barrier_id = open.barrier AND ${isSettled('d.folder_id')}`)}) d`;
const own = marked(`d.user_id BETWEEN $user AND $user AND ${isOpen('d')}`);
const inFolders = `SELECT d.* FROM reached r CROSS JOIN LATERAL (${marked('d.folder_id BETWEEN r.id AND r.id')} OFFSET 0) d`;
// Documents that only their own grants open.
const given = `SELECT d.* FROM opened g CROSS JOIN LATERAL (
    ${marked(`d.id = g.document_id AND ${isOpen('d')} AND d.user_id <> $user AND (d.folder_id IN (SELECT r.id FROM reached r)) IS NOT TRUE`)} OFFSET 0) d`;

/** The labels of each document that a view may see. Reads only those documents, regardless of the size of the team. */
const open: Record<View, { ctes: string; from: string }> = {
  granted: { ctes: `${viewSql.granted}, ${grantedDocuments}`, from: [own, inFolders, given].join(' UNION ALL ') },
  all: { ctes: viewSql.all, from: inBarriers },
};

/** Counts the labels of the documents that a view may see. Documents with equal label sets are grouped before their labels are counted. */
export const countLabels = eachView((view) => {
  const { ctes, from } = open[view];
  return sqlStatement<LabelsQuery, { label: string; documents: number }>(
    `WITH ${ctes}
     SELECT min(l.label) AS label, sum(g.documents)::int AS documents
     FROM (
       SELECT o.labels, o.label_keys, count(*) AS documents FROM (${from} LIMIT ${counted}) o GROUP BY o.labels, o.label_keys
     ) g CROSS JOIN LATERAL unnest(g.labels, g.label_keys) AS l(label, key)
     GROUP BY l.key ORDER BY sum(g.documents) DESC, l.key LIMIT ${listed}`,
  );
});
