import { isOpen, type Viewer } from '#access';
import { sqlStatement } from '../../../platform/database/statement.ts';
import { listed, parts, shown } from '../list-queries.ts';
import { eachView, opens } from '../document-visibility-queries.ts';
import { ended } from '../reference-queries.ts';
import type { DocumentVersionRow } from '../queries.ts';

/** The words of a title, and all its trigrams for partial matches. Trigrams begin with a space, which no word of a text does. */
const neighbours = (text: string) => `ARRAY(
    SELECT DISTINCT '3 ' || substr(lower(${text}), n, 3) FROM generate_series(1, char_length(lower(${text})) - 2) n)`;
/** Returns the fewest trigrams that cover a text. The statement compares titles that have all of them with the text. */
const covering = (text: string) => `ARRAY(
    SELECT DISTINCT '3 ' || substr(lower(${text}), least(n, char_length(lower(${text})) - 2), 3) FROM generate_series(1, char_length(lower(${text})), 3) n
    WHERE char_length(lower(${text})) > 2)`;
const titleWords = (title: string) => `array_to_tsvector(words_of_team($team, $document) || ${neighbours(title)})
     || setweight(searched_words(text_configuration($team), ${title}), 'A')`;

/** The first position for words of the text. It is above all positions of a title, even with two or three lexemes for each word. */
const textBegins = 1_024;
const textWords = `ts_delete(''' '':${textBegins}'::tsvector || searched_words(text_configuration($team), $text), ' ')`;
/**
 * Joins both vectors and keeps their positions. With `||`, each change of the title would shift the text up to the maximum position, and phrases
 * would no longer match.
 */
const inPlace = (title: string, text: string) => `((${title})::text || ' ' || (${text})::text)::tsvector`;

/** Stores the searchable title of a document in the transaction that changes it. */
export const keepTitle = sqlStatement<{ team: string; document: string; title: string }, never>(
  `INSERT INTO document_text AS t (team_id, document_id, title, words) VALUES ($team, $document, $title::text, ${titleWords('$title::text')})
   ON CONFLICT (team_id, document_id) DO UPDATE SET title = excluded.title, words = ${inPlace('excluded.words', "ts_filter(t.words, '{d}')")}`,
);

/** Selects the newest version of a document if its text was not extracted yet. Erased documents are excluded. */
export const versionToRead = sqlStatement<
  { team: string; document: string },
  Pick<DocumentVersionRow, 'number' | 'storage_key' | 'media_type' | 'size'>
>(
  `SELECT v.number, v.storage_key, v.media_type, v.size FROM document d
   JOIN document_version v ON v.team_id = $team AND v.document_id = d.id AND v.number = d.current_version
   JOIN document_text t ON t.team_id = $team AND t.document_id = d.id AND t.version <> v.number
   WHERE d.team_id = $team AND d.id = $document AND d.deleted_at IS DISTINCT FROM ${ended}`,
);

type VersionKey = { team: string; document: string; version: number };

/** Locks a document while its text is stored. Returns no row if it is gone, erased, locked or has a newer version. */
export const lockForExtraction = sqlStatement<VersionKey, { id: string }>(
  `SELECT id FROM document WHERE team_id = $team AND id = $document AND current_version = $version
     AND deleted_at IS DISTINCT FROM ${ended} FOR NO KEY UPDATE SKIP LOCKED`,
);
export const dropPassages = sqlStatement<{ team: string; document: string }, never>(
  'DELETE FROM document_passage WHERE team_id = $team AND document_id = $document',
);
export const keepBody = sqlStatement<VersionKey & { text: string }, never>(
  `UPDATE document_text t SET version = $version, words = ${inPlace(titleWords('d.title'), textWords)}
   FROM document d WHERE t.team_id = $team AND t.document_id = $document AND d.team_id = $team AND d.id = $document`,
);
export const keepPassages = sqlStatement<{ team: string; document: string; passages: readonly string[] }, never>(
  `INSERT INTO document_passage (team_id, document_id, number, text, words)
   SELECT $team, $document, p.number, p.text, searched_words(text_configuration($team), p.text)
   FROM unnest($passages::text[]) WITH ORDINALITY AS p(text, number)`,
);

// Two control characters that no stored text contains mark the matching words.
const marks = `'StartSel="' || chr(1) || '", StopSel="' || chr(2) || '"`;

export type Hit = { id: string; item: string; rank: number; title: string; passage: string | null };
/** A row of a page. A page without hits is one row of nulls. */
export type HitRow = { [Member in keyof Hit]: Hit[Member] | null } & {
  /** The number of matches in the index, up to `most`. */
  found: number;
  /** Whether the page comes from a scan of the documents that the caller may read, because too many documents match. */
  walks: boolean;
  /** The last document of a scan that reached its limit. */
  last: string | null;
};

type SearchParams = Viewer & {
  team: string;
  q: string;
  /** Keys of the labels that a document must all have. */
  labels: readonly string[];
  /** Maximum number of matches that are read from the index, unless `ranked` is greater. */
  most: number;
  /** Maximum number of matches that are ranked. If there are more, the newest come first. */
  ranked: number;
  afterRank: number;
  after: string;
  limit: number;
};

/** Maximum number of documents that a scan examines for a page. */
const walked = 1_000;

/**
 * Selects a page of matching documents that the caller may read, the best or the newest first. Matches come from the index, and access is checked
 * in page order until the page is full. Words match unchanged and in the team’s language, or only in that language if the query excludes words.
 */
export const searchedDocuments = eachView((view) => {
  const page = `SELECT d.id FROM document d
      WHERE d.team_id = $team AND (SELECT w.walks FROM walk w) AND d.id < $after::uuid`;
  const { ctes, from } = parts(view, (where) => `${page} ${where} ORDER BY d.deleted_at DESC, d.id DESC LIMIT ${walked}`);
  // Without labels, an index-only scan has all columns that the access check needs.
  const labelled = `($labels::text[] = '{}' OR (SELECT l.label_keys FROM document l WHERE l.team_id = $team AND l.id = d.id) @> $labels)`;
  const request = (column: string) => `(SELECT r.${column} FROM request r)`;
  return sqlStatement<SearchParams, HitRow>(
    `WITH ${ctes},
     languages AS (SELECT text_configuration($team) AS configuration),
     queries AS (
       SELECT l.configuration, websearch_to_tsquery(l.configuration, $q::text) AS own, websearch_to_tsquery('simple', $q::text) AS plain
       FROM languages l
     ),
     request AS (
       SELECT a.configuration, CASE WHEN numnode(a.own) = 0 THEN a.plain WHEN position('!' IN a.own::text) > 0 OR a.own = a.plain THEN a.own ELSE a.own || a.plain END AS wanted,
         coalesce((SELECT string_agg('''' || replace(replace(w.word, '\\', '\\\\'), '''', '''''') || '''', ' | ')
           FROM unnest(tsvector_to_array(searched_words(a.configuration, $q::text))) AS w(word)), '')::tsquery AS shown,
         (SELECT string_agg('''' || replace(replace(n.part, '\\', '\\\\'), '''', '''''') || '''', ' & ') FROM unnest(${covering('$q::text')}) AS n(part))::tsquery AS name
       FROM queries a
     ),
     candidate AS (
       SELECT f.id, f.rank FROM request r
       CROSS JOIN LATERAL documents_with_words($team, CASE WHEN numnode(r.wanted) > 0 THEN r.wanted END, r.name, $q::text, $most, $ranked) f
     ),
     walk AS (SELECT count(c.id)::integer AS found, count(c.id) < count(*) AS walks FROM candidate c),
     indexed AS (
       SELECT n.id, n.rank FROM (
         SELECT c.* FROM candidate c WHERE (c.rank, c.id) < ($afterRank::real, $after::uuid) ORDER BY c.rank DESC, c.id DESC OFFSET 0
       ) n CROSS JOIN LATERAL (
         SELECT d.id, d.folder_id, d.user_id, d.barrier_id FROM document d WHERE d.team_id = $team AND d.id = n.id AND d.deleted_at IS NULL OFFSET 0
       ) d WHERE ${isOpen('d')} AND ${opens[view].where} AND ${labelled} ORDER BY n.rank DESC, n.id DESC LIMIT $limit + 1
     ),
     around AS (SELECT DISTINCT f.id FROM (${from}) f ORDER BY f.id DESC LIMIT ${walked}),
     walked AS (
       SELECT d.id, 0::real AS rank FROM (SELECT w.id FROM around w ORDER BY w.id DESC OFFSET 0) d CROSS JOIN LATERAL (
         SELECT t.title, t.words FROM document_text t WHERE t.team_id = $team AND t.document_id = d.id OFFSET 0
       ) t WHERE (position(lower($q::text) IN lower(t.title)) > 0 OR t.words @@ ${request('wanted')}) AND ${labelled}
       ORDER BY d.id DESC LIMIT $limit + 1
     ),
     page AS (SELECT * FROM indexed UNION ALL SELECT * FROM walked)
     SELECT w.found, w.walks, (SELECT a.id FROM around a ORDER BY a.id DESC OFFSET ${walked - 1} LIMIT 1) AS last, h.*
     FROM walk w LEFT JOIN (
       SELECT d.id, ${listed} AS item, d.rank,
         coalesce(ts_headline(${request('configuration')}, translate(d.title, chr(1) || chr(2), ''), ${request('shown')}, ${marks}, HighlightAll=true'), '') AS title,
         (SELECT ts_headline(${request('configuration')}, p.text, ${request('shown')},
            ${marks}, MaxFragments=2, MinWords=8, MaxWords=24, FragmentDelimiter=" … "')
          FROM document_passage p
          WHERE p.team_id = $team AND p.document_id = d.id AND p.words @@ ${request('shown')}
          ORDER BY p.number LIMIT 1) AS passage
       FROM (
         SELECT o.*, p.rank FROM page p CROSS JOIN LATERAL (
           SELECT ${shown} FROM document d WHERE d.team_id = $team AND d.id = p.id OFFSET 0
         ) o
       ) d
     ) h ON true ORDER BY h.rank DESC, h.id DESC`,
  );
});
