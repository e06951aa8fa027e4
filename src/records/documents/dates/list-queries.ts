import { isOpen, type View, type Viewer } from '#access';
import { jsonPage, jsonThing, type PageRow } from '../../../platform/database/json-page.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import { eachView, opens } from '../document-visibility-queries.ts';

/** Maximum number of dates of the team that one page examines. It limits the cost for a caller who may read only few of them. */
const looked = 1_000;

const item = jsonThing({ documentId: 'p.document_id', title: 'p.title', folderId: 'p.folder_id', kind: 'p.kind', date: 'p.falls_on' });
const place = (row: string) => `${row}.falls_on, ${row}.document_id, ${row}.kind`;
const key = (row: string) => [`${row}.falls_on::text`, `${row}.document_id`, `${row}.kind`];

function listBy(view: View) {
  const { ctes, where } = opens[view];
  const page = `WITH ${ctes},
     looked AS (
       SELECT n.falls_on, n.document_id, n.kind FROM document_date n
       WHERE n.team_id = $team AND n.falls_on < $before::date AND (${place('n')}) > ($afterDay::date, $after::uuid, $afterKind::text)
       ORDER BY ${place('n')} LIMIT ${looked}
     ),
     found AS (
       SELECT ${place('n')}, d.title, d.folder_id FROM looked n CROSS JOIN LATERAL (
         SELECT o.id, o.title, o.folder_id, o.user_id, o.barrier_id FROM document o
         WHERE o.team_id = $team AND o.id = n.document_id AND o.deleted_at IS NULL OFFSET 0
       ) d WHERE ${isOpen('d')} AND ${where}
     ),
     page AS (SELECT f.* FROM found f ORDER BY ${place('f')} LIMIT $limit + 1)`;
  const isCut = `(SELECT count(*) FROM looked) = ${looked}`;
  return {
    ...sqlStatement<DatePage, PageRow>(
      `${page} SELECT w.body, CASE WHEN w.more THEN w.last ELSE (
         SELECT json_build_array(${key('l').join(', ')}) FROM looked l ORDER BY l.falls_on DESC, l.document_id DESC, l.kind DESC LIMIT 1
       ) END AS last,
       w.more OR ${isCut} AS more
     FROM (WITH ${jsonPage({ from: 'page p', item, order: place('p'), key: key('p') })}) w`,
    ),
    counts: sqlStatement<DatePage, PageRow>(
      `${page} SELECT least(count(*), $limit)::text AS body, NULL::json AS last, count(*) > $limit OR ${isCut} AS more FROM page`,
    ),
  };
}

type DatePage = Viewer & { team: string; before: string; afterDay: string; after: string; afterKind: string; limit: number };

/** Selects a page of the dates that a view may see, by day. It may have fewer rows than `limit` while another page follows. */
export const comingDates = eachView(listBy);
