import { isOpen, type View, type Viewer } from '#access';
import { sqlStatement } from '../../platform/database/statement.ts';
import { listed, parts, shown } from '../list-queries.ts';
import { eachView, opens } from '../opens-queries.ts';
import { ended } from '../reference-queries.ts';
import type { VersionRow } from '../queries.ts';

/** The words of a title, and any three neighbouring characters of it, by which a part of it is found. A space leads what is no word of a text. */
const neighbours = (text: string) => `ARRAY(
    SELECT DISTINCT '3 ' || substr(lower(${text}), n, 3) FROM generate_series(1, char_length(lower(${text})) - 2) n)`;
const titleWords = (title: string) => `array_to_tsvector(words_of_team($team, $document) || ${neighbours(title)})
     || setweight(searched_words(text_configuration($team), ${title}), 'A')`;

/** Where the places of a text's words begin: behind those of any title, each word of which has two or three. */
const textBegins = 1_024;
const textWords = `ts_delete(''' '':${textBegins}'::tsvector || searched_words(text_configuration($team), $text), ' ')`;
/**
 * Both with the places that their words have. `||` would move those of the second on by those of the first, each time that a title changes, up to
 * the last place that there is: no phrase would be found there any more.
 */
const inPlace = (title: string, text: string) => `((${title})::text || ' ' || (${text})::text)::tsvector`;

/** Keeps what a document is found by of its title, in the transaction that gives it this. */
export const keepTitle = sqlStatement<{ team: string; document: string; title: string }, never>(
  `INSERT INTO document_text AS t (team_id, document_id, words) VALUES ($team, $document, ${titleWords('$title::text')})
   ON CONFLICT (team_id, document_id) DO UPDATE SET words = ${inPlace('excluded.words', "ts_filter(t.words, '{d}')")}`,
);

/** The newest version of a document, where its text was not looked for; nothing of what is erased. */
export const versionToRead = sqlStatement<
  { team: string; document: string },
  Pick<VersionRow, 'number' | 'storage_key' | 'media_type' | 'size'>
>(
  `SELECT v.number, v.storage_key, v.media_type, v.size FROM document d
   JOIN document_version v ON v.team_id = $team AND v.document_id = d.id AND v.number = d.current_version
   JOIN document_text t ON t.team_id = $team AND t.document_id = d.id AND t.version <> v.number
   WHERE d.team_id = $team AND d.id = $document AND d.deleted_at IS DISTINCT FROM ${ended}`,
);

type Taken = { team: string; document: string; version: number };

/** Holds a document while its text is kept: no row where it has gone, was erased, has another version by now, or is in somebody's hands. */
export const holdForText = sqlStatement<Taken, { id: string }>(
  `SELECT id FROM document WHERE team_id = $team AND id = $document AND current_version = $version
     AND deleted_at IS DISTINCT FROM ${ended} FOR NO KEY UPDATE SKIP LOCKED`,
);
export const dropPassages = sqlStatement<{ team: string; document: string }, never>(
  'DELETE FROM document_passage WHERE team_id = $team AND document_id = $document',
);
export const keepBody = sqlStatement<Taken & { text: string }, never>(
  `UPDATE document_text t SET version = $version, words = ${inPlace(titleWords('d.title'), textWords)}
   FROM document d WHERE t.team_id = $team AND t.document_id = $document AND d.team_id = $team AND d.id = $document`,
);
export const keepPassages = sqlStatement<{ team: string; document: string; passages: readonly string[] }, never>(
  `INSERT INTO document_passage (team_id, document_id, number, text, words)
   SELECT $team, $document, p.number, p.text, searched_words(text_configuration($team), p.text)
   FROM unnest($passages::text[]) WITH ORDINALITY AS p(text, number)`,
);

/** What is looked for, as queries of words that the statements below take. */
type Wanted = { configuration: string; wanted: string; shown: string };
/**
 * Documents that may be it, the newest first, and whether the index found each by words, else by a part of its title. `counted`: how
 * many there are in all; null where there are very many, which the index was not asked for.
 */
export type Sought = Wanted & { ids: string[]; by_words: boolean[]; counted: number | null };

/**
 * Reads what somebody looks for as a search on the web is written, and finds the documents of the team that may have it: those before one
 * of up to `most`, or as many where there are more and they are to be put `inOrder`. Words count as the team's language writes them or as
 * they stand; where some are excluded, as the former alone.
 */
export const soughtDocuments = sqlStatement<{ team: string; q: string; inOrder: boolean; most: number; before: string }, Sought>(
  `WITH asked AS (
     SELECT c.configuration, websearch_to_tsquery(c.configuration, $q::text) AS own, websearch_to_tsquery('simple', $q::text) AS plain
     FROM (SELECT text_configuration($team) AS configuration) c
   ),
   sought AS MATERIALIZED (
     SELECT a.configuration, CASE WHEN numnode(a.own) = 0 THEN a.plain WHEN position('!' IN a.own::text) > 0 THEN a.own ELSE a.own || a.plain END AS wanted,
       coalesce((SELECT string_agg('''' || replace(replace(w.word, '\\', '\\\\'), '''', '''''') || '''', ' | ')
         FROM unnest(tsvector_to_array(searched_words(a.configuration, $q::text))) AS w(word)), '') AS shown,
       (SELECT string_agg('''' || replace(replace(n.part, '\\', '\\\\'), '''', '''''') || '''', ' & ') FROM unnest(${neighbours('$q::text')}) AS n(part))::tsquery AS name
     FROM asked a
   )
   SELECT s.configuration::text AS configuration, s.wanted::text AS wanted, s.shown, f.ids, f.by_words, f.counted FROM sought s
   CROSS JOIN documents_with_words($team, CASE WHEN numnode(s.wanted) > 0 THEN s.wanted END, s.name, $most, $before, $inOrder) f`,
  { wanted: 'a query of words is never null' },
);

const text = `LATERAL (
    SELECT t.words FROM document_text t WHERE t.team_id = $team AND t.document_id = d.id OFFSET 0
  ) t`;
/** Whether a part of the title is what is looked for, as it is written. */
const named = 'position(lower($q::text) IN lower(d.title)) > 0';

// What is hit is shown between two characters that no text here has.
const marks = `'StartSel="' || chr(1) || '", StopSel="' || chr(2) || '"`;
/** The rows of a `page (id, rank)` as they are answered. */
const hit = `SELECT d.id, ${listed} AS item, coalesce(d.rank, 0)::text AS rank,
     coalesce(ts_headline($configuration::text::regconfig, translate(d.title, chr(1) || chr(2), ''), $shown::tsquery, ${marks}, HighlightAll=true'), '') AS title,
     (SELECT ts_headline($configuration::text::regconfig, p.text, $shown::tsquery,
        ${marks}, MaxFragments=2, MinWords=8, MaxWords=24, FragmentDelimiter=" … "')
      FROM document_passage p
      WHERE p.team_id = $team AND p.document_id = d.id AND p.words @@ $shown::tsquery
      ORDER BY p.number LIMIT 1) AS passage
   FROM (
     SELECT o.*, p.rank FROM page p CROSS JOIN LATERAL (
       SELECT ${shown} FROM document d WHERE d.team_id = $team AND d.id = p.id OFFSET 0
     ) o
   ) d`;

export type Hit = { id: string; item: string; rank: string; title: string; passage: string | null };
type Asked = Viewer & Wanted & { team: string; q: string; labels: readonly string[] | null; limit: number };
type Among = Asked & { ids: readonly string[]; byWords: readonly boolean[] };
/** Whether a document has all the labels that are asked for. */
const labelled = '($labels::text[] IS NULL OR d.label_keys @> $labels)';

/** The documents among `ids` that are open, and that have what is looked for. */
const openHits = (view: View, rank: string) => {
  const { ctes, join, where } = opens[view];
  return `WITH ${ctes},
     open_to AS MATERIALIZED (
       SELECT d.id, d.title, n.by_words FROM unnest($ids::uuid[], $byWords::boolean[]) AS n(id, by_words) CROSS JOIN LATERAL (
         SELECT d.id, d.title, d.folder_id, d.user_id, d.barrier_id, d.label_keys FROM document d WHERE d.team_id = $team AND d.id = n.id AND d.deleted_at IS NULL OFFSET 0
       ) d ${join} WHERE ${isOpen('d')} AND ${where} AND ${labelled}
     ),
     hits AS MATERIALIZED (
       SELECT d.id, ${rank} AS rank FROM open_to d CROSS JOIN ${text}
       WHERE ${named} OR d.by_words
     )`;
};

/** A page of the documents among `ids` that are open and have what is looked for: what has it in its title first, then the closest. */
export const rankedHits = eachView((view) =>
  sqlStatement<Among & { afterRank: number; after: string }, Hit>(
    `${openHits(view, `(CASE WHEN d.by_words THEN ts_rank(t.words, $wanted::tsquery, 1) ELSE 0 END + CASE WHEN ${named} THEN 1 ELSE 0 END)::real`)},
     page AS MATERIALIZED (
       SELECT d.* FROM hits d WHERE (d.rank, d.id) < ($afterRank::real, $after::uuid) ORDER BY d.rank DESC, d.id DESC LIMIT $limit + 1
     )
     ${hit} ORDER BY d.rank DESC, d.id DESC`,
  ),
);

/** The same, the newest first. */
export const newestAmong = eachView((view) =>
  sqlStatement<Omit<Among, 'wanted'>, Hit>(
    `${openHits(view, '0::real')},
     page AS MATERIALIZED (SELECT d.* FROM hits d ORDER BY d.id DESC LIMIT $limit + 1)
     ${hit} ORDER BY d.id DESC`,
  ),
);

/**
 * Hits of a page, at most. Said in the statement, beside the limit that is asked for, it has the planner expect no more: it would
 * otherwise plan the statement anew each time, which takes longer than the statement.
 */
export const mostHits = 50;

/** How many documents a page walks past at first, and at most, where very many have what is looked for. */
export const walked = { first: 100, most: 1_000 } as const;

/**
 * A page of what is open and has something that very many documents have, the newest first. `walked`: how many were walked past, and
 * `last` the one at which a page that is not full ended.
 */
const newestWithin = (window: number) =>
  eachView((view) => {
    // Labels are asked for of what was walked past: beside them so few rows are expected that all would be read, and sorted.
    const page = (where: string) => `SELECT d.id, d.title, d.label_keys FROM document d
      WHERE d.team_id = $team AND d.id < $after::uuid ${where} ORDER BY d.deleted_at DESC, d.id DESC LIMIT ${window}`;
    const { ctes, from } = parts(view, page);
    return sqlStatement<Asked & { after: string }, { [Member in keyof Hit]: Hit[Member] | null } & { walked: number; last: string | null }>(
      `WITH ${ctes},
       found AS MATERIALIZED (SELECT DISTINCT ON (f.id) f.* FROM (${from}) f ORDER BY f.id),
       window_of AS MATERIALIZED (SELECT d.* FROM found d ORDER BY d.id DESC LIMIT ${window}),
       page AS MATERIALIZED (
         SELECT p.* FROM (
           SELECT d.id, 0::real AS rank FROM (SELECT * FROM window_of ORDER BY id DESC OFFSET 0) d CROSS JOIN ${text}
           WHERE ${labelled} AND (${named} OR t.words @@ $wanted::tsquery) ORDER BY d.id DESC LIMIT ${mostHits + 1}
         ) p ORDER BY p.id DESC LIMIT $limit + 1
       )
       SELECT h.*, w.walked, w.last FROM (SELECT count(*)::integer AS walked, (SELECT id FROM window_of ORDER BY id LIMIT 1) AS last FROM window_of) w
       LEFT JOIN (${hit}) h ON true ORDER BY h.id DESC`,
    );
  });
export const newestHits = { first: newestWithin(walked.first), most: newestWithin(walked.most) };
