import { isOpen, type Viewer } from '#folders';
import { sqlStatement } from '../platform/database/statement.ts';
import { eachView, opens } from './opens-queries.ts';

/** Labels that are listed, and documents with labels that are looked at for it, the newest. */
const [listed, looked] = [500, 100_000];

type Asked = Viewer & { team: string };

/** The labels of what is open to a view, with how many documents have each. */
export const countLabels = eachView((view) => {
  const { ctes, join, kept, where } = opens[view];
  return sqlStatement<Asked, { label: string; documents: number }>(
    `WITH RECURSIVE ${ctes},
     labelled AS MATERIALIZED (
       SELECT o.id, o.folder_id, o.user_id, o.wall_id, o.labels, o.label_keys FROM document o
       WHERE o.team_id = $team AND o.deleted_at IS NULL AND o.label_keys <> '{}' ORDER BY o.id DESC LIMIT ${looked}
     )
     SELECT min(l.label) AS label, count(*)::int AS documents
     FROM labelled d ${join} CROSS JOIN LATERAL unnest(d.labels, d.label_keys) AS l(label, key)
     WHERE ${isOpen('d')} AND ${where} AND (${kept}) IS NULL
     GROUP BY l.key ORDER BY count(*) DESC, l.key LIMIT ${listed}`,
  );
});
