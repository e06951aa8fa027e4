import type { Audience, PrincipalFilter } from '#access';
import { jsonPage, jsonThing, type ListPage } from '../platform/database/json-page.ts';
import { bySort, changeSorts, isoText, type Place, sortedBy } from '../platform/database/sorted-page.ts';
import { sqlStatement } from '../platform/database/statement.ts';

/** A file of a version, as the row of the version names it. */
export type KeptFile = { path: string; mediaType: string; size: number; sha256: string };

export type TemplateRow = {
  id: string;
  name: string;
  description: string | null;
  user_id: string;
  created_by: string;
  created_by_type: string;
  library_slug: string | null;
  version: number;
  number: number;
  source: string;
  schema: Record<string, unknown>;
  files: KeptFile[];
  created_at: string;
  updated_at: string;
};
/** A template, at its newest version, with how the viewer stands to it. */
export type ReachedTemplate = TemplateRow & { relations: string[]; team_relations: string[] };

/** The relations that grants give the caller, and the whole team, to the template `r`. */
const granted = `CROSS JOIN LATERAL (
     SELECT access_relations($team, $caller, $person, 'template', r.id, r.user_id) AS relations,
       access_relations($team, $team, false, 'template', r.id, NULL) AS team_relations
   ) granted`;
const because = { relations: 'the function returns an array', team_relations: 'the function returns an array' };

type One = { team: string; id: string };

/** A template with the relations of the caller to it. */
export const reachTemplate = sqlStatement<One & PrincipalFilter, ReachedTemplate>(
  `SELECT r.id, r.name, r.description, r.user_id, r.created_by, r.created_by_type, r.library_slug, r.version, r.number, v.source, v.schema, v.files,
     r.created_at, r.updated_at, granted.*
   FROM document_template r JOIN document_template_version v ON v.team_id = $team AND v.template_id = r.id AND v.number = r.number ${granted}
   WHERE r.team_id = $team AND r.id = $id`,
  because,
);

/** Keeps a template that is shared until the transaction ends. */
export const holdTemplate = sqlStatement<One, { id: string }>(
  'SELECT id FROM document_template WHERE team_id = $team AND id = $id FOR KEY SHARE',
);

/** Locks a template that is to be changed. */
export const lockTemplate = sqlStatement<One, { id: string }>(
  'SELECT id FROM document_template WHERE team_id = $team AND id = $id FOR UPDATE',
);

type New = One & {
  name: string;
  description: string | null;
  slug: string | null;
  user: string;
  by: string;
  byType: string;
  at: Date;
};
export const insertTemplate = sqlStatement<New, never>(
  `INSERT INTO document_template (team_id, id, name, description, user_id, created_by, created_by_type, library_slug, created_at, updated_at)
   VALUES ($team, $id, $name, $description, $user, $by, $byType, $slug, $at, $at)`,
);

export const updateTemplate = sqlStatement<One & { name: string; description: string | null; number: number; at: Date }, never>(
  `UPDATE document_template SET name = $name, description = $description, number = $number, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

export const deleteTemplate = sqlStatement<One, never>('DELETE FROM document_template WHERE team_id = $team AND id = $id');

type NewVersion = {
  team: string;
  template: string;
  number: number;
  source: string;
  schema: string;
  files: string;
  by: string;
  byType: string;
  at: Date;
};
export const insertVersion = sqlStatement<NewVersion, never>(
  `INSERT INTO document_template_version (team_id, template_id, number, source, schema, files, created_by, created_by_type, created_at)
   VALUES ($team, $template, $number, $source, $schema, $files, $by, $byType, $at)`,
);

/** Ends versions that are too old, and then pictures that no version has. */
export const dropVersions = sqlStatement<{ team: string; template: string; upTo: number }, never>(
  'DELETE FROM document_template_version WHERE team_id = $team AND template_id = $template AND number <= $upTo',
);
export const dropFiles = sqlStatement<{ team: string; template: string }, never>(
  `DELETE FROM document_template_file f WHERE f.team_id = $team AND f.template_id = $template AND NOT EXISTS (
     SELECT FROM document_template_version v, jsonb_array_elements(v.files) one
     WHERE v.team_id = $team AND v.template_id = $template AND one->>'sha256' = f.sha256
   )`,
);

export const insertFile = sqlStatement<{ team: string; template: string; sha256: string; size: number; content: Buffer }, never>(
  `INSERT INTO document_template_file (team_id, template_id, sha256, size, content) VALUES ($team, $template, $sha256, $size, $content)
   ON CONFLICT DO NOTHING`,
);
export const readFiles = sqlStatement<{ team: string; template: string; hashes: readonly string[] }, { sha256: string; content: Buffer }>(
  'SELECT sha256, content FROM document_template_file WHERE team_id = $team AND template_id = $template AND sha256 = ANY ($hashes)',
);

export type VersionRow = {
  number: number;
  source: string;
  schema: Record<string, unknown>;
  files: KeptFile[];
  created_by: string;
  created_by_type: string;
  created_at: string;
};
/** The versions that are kept, newest first, without what they say. */
export const listVersions = sqlStatement<{ team: string; template: string }, Omit<VersionRow, 'source' | 'schema' | 'files'>>(
  `SELECT number, created_by, created_by_type, created_at FROM document_template_version
   WHERE team_id = $team AND template_id = $template ORDER BY number DESC LIMIT 200`,
);
export const findVersion = sqlStatement<{ team: string; template: string; number: number }, VersionRow>(
  `SELECT number, source, schema, files, created_by, created_by_type, created_at FROM document_template_version
   WHERE team_id = $team AND template_id = $template AND number = $number`,
);

const visible = `($all OR r.user_id = $caller OR r.id IN (SELECT access_resources($team, $caller, $person, 'template', $viewing::text[])))`;

const item = jsonThing({
  id: 'r.id',
  name: 'r.name',
  description: 'r.description',
  version: 'r.number',
  userId: 'r.user_id',
  access: `coalesce($level, CASE WHEN granted.relations && $managing::text[] THEN 'manage' WHEN granted.relations && $editing::text[] THEN 'write' ELSE 'read' END)`,
  teamAccess: `CASE WHEN 'editor' = ANY (granted.team_relations) THEN 'write' WHEN 'viewer' = ANY (granted.team_relations) THEN 'read' END`,
  librarySlug: 'r.library_slug',
  createdBy: 'r.created_by',
  createdByType: 'r.created_by_type',
  createdAt: isoText('r.created_at'),
  updatedAt: isoText('r.updated_at'),
});

type List = Audience & { team: string; limit: number; since: string | null } & Place;

/** A page of the templates that somebody sees, in an order. */
export const listTemplates = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'r');
  return sqlStatement<List, ListPage>(
    `WITH page AS (
       SELECT r.* FROM document_template r
       WHERE r.team_id = $team AND ${after} AND ${visible} AND ($since::timestamptz IS NULL OR r.updated_at >= $since)
       ORDER BY ${order} LIMIT $limit + 1
     ),
     ${jsonPage({ from: `page r ${granted}`, item, order, key })}`,
  );
});

/** What somebody who leaves had is another's. */
export const handOverTemplates = sqlStatement<{ team: string; from: string; to: string; at: Date }, { id: string }>(
  `UPDATE document_template SET user_id = $to, version = version + 1, updated_at = $at WHERE team_id = $team AND user_id = $from RETURNING id`,
);
