import { jsonThing, pageStatement } from '../platform/database/json-page.ts';
import { bySort, changeSorts, isoText, type Cursor, sortedBy } from '../platform/database/sorted-page.ts';
import { sqlStatement } from '../platform/database/statement.ts';
import type { ResourceType } from './can.ts';
import { barrierIsThere } from './list-queries.ts';
import { type Audience, type Facts, factsAreThere, type ResourceName, type PrincipalFilter } from './resource-access.ts';

type ResourceKey = { team: string; id: string };
type ListParams = Audience & { team: string; limit: number; since: string | null } & Cursor;

/** The relations that grants give the caller, and the whole team, to a resource. `inherited` and the barriers are those of its matter. */
type Granted = {
  relations: string[];
  team_relations: string[];
  inherited: string[];
  excluded: boolean;
  outsider: boolean;
  barrier_id: string;
};
const because: object = {
  relations: 'the function returns an array',
  team_relations: 'as above',
  inherited: 'as above',
  excluded: 'never null',
  outsider: 'never null',
  ...barrierIsThere,
};

type ResourceTable = {
  type: ResourceType;
  /** The table, with the alias `r` in all statements. It has the columns `version` and `updated_at`. */
  table: string;
  /** The column of the owner. */
  owner: string;
  /** The column of the matter, whose shares and barrier apply too. */
  container?: string;
  /** The columns of one resource, and the joined tables of some columns. */
  columns: string;
  joins?: string;
  /** The members of a list item with their expressions. `access`, `teamAccess`, `createdAt` and `updatedAt` are added. */
  members: Readonly<Record<string, string>>;
  /** Members with JSON of the team. */
  whole?: Record<string, string>;
};

/**
 * Creates the statements of a resource type with an owner and shares, without a container. `find` also returns the
 * relations of the caller, for `accessTo`. `hold` locks a resource against deletion, `lock` for a change. `list` returns
 * a page of the resources that satisfy the condition of `audienceOf`. `among` returns the names of the resources among
 * `$ids` that satisfy a condition, with the relations of the caller. `where` does so for all resources of the team.
 * `handOver` replaces the owner.
 */
export function resourceQueries<Row>({ type, table, owner, container, columns, joins = '', members, whole }: ResourceTable) {
  const granted = `CROSS JOIN LATERAL (
     SELECT access_relations($team, $caller, $person, '${type}', r.id, r.${owner}) AS relations,
       access_relations($team, $team, false, '${type}', r.id, NULL) AS team_relations
   ) granted CROSS JOIN LATERAL matter_facts($team, $caller, $person, ${container === undefined ? 'NULL' : `r.${container}`}) inherit`;
  const relations = '(granted.relations || inherit.inherited)';
  const item = jsonThing(
    {
      ...members,
      access: `coalesce($level, CASE WHEN ${relations} && $managing::text[] THEN 'manage' WHEN ${relations} && $editing::text[] THEN 'write' ELSE 'read' END)`,
      teamAccess: `CASE WHEN 'editor' = ANY (granted.team_relations) THEN 'write' WHEN 'viewer' = ANY (granted.team_relations) THEN 'read' END`,
      createdAt: isoText('r.created_at'),
      updatedAt: isoText('r.updated_at'),
    },
    whole,
  );
  const inMatters =
    container === undefined
      ? ''
      : ` OR $person AND r.${container} IS NOT NULL AND r.${container} IN (SELECT viewed_matters($team, $caller::uuid))`;
  const hidden =
    container === undefined
      ? ''
      : ` AND (r.${container} IS NULL OR NOT barrier_excludes($team, barrier_of($team, r.${container}), CASE WHEN $person THEN $caller END))`;
  const named = (ids: string, condition: string) =>
    `SELECT r.id, r.name, granted.relations, inherit.inherited, inherit.excluded, inherit.outsider
     FROM (${ids}) named
     CROSS JOIN LATERAL (SELECT * FROM ${table} o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) r ${granted} WHERE ${condition}`;
  const list = (condition: string) =>
    bySort(changeSorts, (sort) => {
      const { order, after, key } = sortedBy(sort, 'r');
      return pageStatement<ListParams>(
        `WITH page AS (
           SELECT r.* FROM ${table} r WHERE r.team_id = $team AND ${condition} AND ${after}
             AND ($all OR r.${owner} = $caller OR r.id IN (SELECT access_resources($team, $caller, $person, '${type}', $wanted::text[]))${inMatters})${hidden}
             AND ($since::timestamptz IS NULL OR r.updated_at >= $since)
           ORDER BY ${order} LIMIT $limit + 1
         )`,
        { from: `page r ${granted}`, item, order, key },
      );
    });
  return {
    find: sqlStatement<ResourceKey & PrincipalFilter, Row & Granted>(
      `SELECT ${columns}, granted.*, inherit.*, barrier_of($team, ${container === undefined ? 'NULL' : `r.${container}`}) AS barrier_id
       FROM ${table} r ${joins} ${granted} WHERE r.team_id = $team AND r.id = $id`,
      because as Partial<Record<keyof (Row & Granted) & string, string>>,
    ),
    among: (condition: string) =>
      sqlStatement<{ team: string; ids: readonly string[] } & PrincipalFilter, ResourceName & Facts>(
        named('SELECT unnest($ids::uuid[]) AS id', condition),
        factsAreThere,
      ),
    where: (condition: string) =>
      sqlStatement<{ team: string } & PrincipalFilter, ResourceName & Facts>(
        named(`SELECT r.id FROM ${table} r WHERE r.team_id = $team AND ${condition}`, 'true'),
        factsAreThere,
      ),
    hold: sqlStatement<ResourceKey, { id: string }>(`SELECT id FROM ${table} WHERE team_id = $team AND id = $id FOR KEY SHARE`),
    lock: sqlStatement<ResourceKey, { id: string }>(`SELECT id FROM ${table} WHERE team_id = $team AND id = $id FOR UPDATE`),
    list,
    handOver: sqlStatement<{ team: string; from: string; to: string; at: Date }, { id: string }>(
      `UPDATE ${table} SET ${owner} = $to, version = version + 1, updated_at = $at WHERE team_id = $team AND ${owner} = $from RETURNING id`,
    ),
  };
}
