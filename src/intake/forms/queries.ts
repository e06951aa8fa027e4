import { type Facts, factsAreThere, type ResourceName, noBarrier, type Viewer } from '#access';
import { hasBookingsToDecide } from '#bookings';
import type { Text } from '#fields';
import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { FormBinding } from './form-binding.ts';
import type { OutputStates } from './outputs/states.ts';
import type { InterfaceAccess } from './policy.ts';
import type { Calendar, Definition } from './schemas.ts';

/** The parameters that identify a form in its team. */
export type FormKey = { team: string; interface: string };

export type InterfaceRow = RowWithout<'interface', 'deleted_at' | 'draft' | 'retain_days' | 'suspended_at' | 'team_id'> & {
  draft: Definition;
  calendar: Calendar | null;
  published_revision: number | null;
  published_at: string | null;
  suspended: boolean;
  /** The matter of the folder with its submissions. */
  matter_id: string | null;
  /** The information barrier of the folder with its submissions. */
  barrier_id: string;
};

/** A form with the relations of the viewer to it. */
export type ReachedInterface = InterfaceRow & Facts;
export type AccessibleForm = { row: ReachedInterface; access: InterfaceAccess };

const accessFactsSql = `CROSS JOIN LATERAL (SELECT barrier_of($team, i.folder_id) AS barrier_id OFFSET 0) place
   CROSS JOIN LATERAL access_facts($team, $user, $roots::uuid[], 'form', i.id, i.owner_id, i.folder_id, place.barrier_id) facts`;

/** Returns a form with the access facts of the viewer. */
export const reachInterface = sqlStatement<Viewer & TeamScopedId, ReachedInterface>(
  `SELECT i.id, i.type, i.title, i.status, i.draft, calendar_definition($team, i.id) AS calendar, i.revision, i.published_version, v.revision AS published_revision,
     v.published_at, i.owner_id, i.folder_id, matter_of($team, i.folder_id) AS matter_id, i.created_by, i.created_by_type, i.suspended_at IS NOT NULL AS suspended, i.suspended_reason, place.barrier_id, i.version,
     i.created_at, i.updated_at, facts.*
   FROM interface i
   LEFT JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   ${accessFactsSql}
   WHERE i.team_id = $team AND i.id = $id AND i.deleted_at IS NULL`,
  { ...factsAreThere, barrier_id: 'never null' },
);

/** The titles of forms, with the access facts of the viewer. */
export const interfacesNamed = sqlStatement<Viewer & { team: string; ids: readonly string[] }, ResourceName & Facts>(
  `SELECT i.id, i.title AS name, facts.*
   FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM interface o WHERE o.team_id = $team AND o.id = named.id AND o.deleted_at IS NULL OFFSET 0) i
   ${accessFactsSql}`,
  factsAreThere,
);

/** The forms with bookings that wait for a decision, with the access facts of the viewer. */
export const interfacesToDecide = sqlStatement<Viewer & { team: string }, ResourceName & Facts>(
  `SELECT i.id, i.title AS name, facts.*
   FROM (SELECT * FROM interface o WHERE o.team_id = $team AND o.deleted_at IS NULL AND ${hasBookingsToDecide('o.id')} OFFSET 0) i
   ${accessFactsSql}`,
  factsAreThere,
);

/** Returns which of these forms have their submissions behind an information barrier. */
export const interfacesBehindBarriers = sqlStatement<{ team: string; ids: readonly string[] }, { id: string }>(
  `SELECT i.id FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT o.id, o.folder_id FROM interface o WHERE o.team_id = $team AND o.id = named.id) i
   WHERE barrier_of($team, i.folder_id) <> '${noBarrier}'`,
);

/** Locks a form before a change. */
export const lockInterface = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM interface WHERE team_id = $team AND id = $id FOR NO KEY UPDATE',
);

type NewInterface = TeamScopedId & {
  type: string;
  title: string;
  draft: string;
  owner: string;
  folder: string | null;
  by: string;
  byType: string;
  at: Date;
};
export const insertInterface = sqlStatement<NewInterface, never>(
  `INSERT INTO interface (team_id, id, type, title, draft, owner_id, folder_id, created_by, created_by_type, created_at, updated_at)
   VALUES ($team, $id, $type, $title, $draft, $owner, $folder, $by, $byType, $at, $at)`,
);

/** Stores a draft. Submissions go to the folder of the published version; an unpublished draft uses its own folder. */
export const updateDraft = sqlStatement<TeamScopedId & { title: string; draft: string; folder: string | null; at: Date }, never>(
  `UPDATE interface SET title = $title, draft = $draft, revision = revision + 1, version = version + 1, updated_at = $at,
     folder_id = CASE WHEN published_version IS NULL THEN $folder::uuid ELSE folder_id END
   WHERE team_id = $team AND id = $id`,
);

type NewVersion = TeamScopedId & {
  number: number;
  definition: string;
  revision: number;
  usesBy: string;
  templateHash: string | null;
  bindings: string;
  outputs: string;
  supersede: string;
  by: string;
  byType: string;
  at: Date;
};
export const insertVersion = sqlStatement<NewVersion, never>(
  `INSERT INTO interface_version (team_id, interface_id, number, definition, revision, uses_by, template_hash, bindings, outputs, supersede,
     published_by, published_by_type, published_at)
   VALUES ($team, $id, $number, $definition, $revision, $usesBy, $templateHash, $bindings, $outputs, $supersede, $by, $byType, $at)`,
);

type LastVersion = Row<'interface_version', 'number' | 'uses_by' | 'template_hash'> & {
  config: Definition['config'] | null;
  bindings: FormBinding[];
  outputs: OutputStates;
};
/** Returns the newest version, whether or not it is still public. */
export const lastVersion = sqlStatement<TeamScopedId, LastVersion>(
  `SELECT v.number, v.definition -> 'config' AS config, v.uses_by, v.template_hash, v.bindings, v.outputs
   FROM interface i CROSS JOIN LATERAL (
     SELECT l.* FROM interface_version l WHERE l.team_id = $team AND l.interface_id = $id ORDER BY l.number DESC LIMIT 1
   ) v WHERE i.team_id = $team AND i.id = $id`,
);

/** Returns the state that a workflow template had at the last publication of this form. */
export const templateAtPublish = sqlStatement<TeamScopedId & { name: string }, { template_hash: string | null }>(
  `SELECT template_hash FROM interface_version
   WHERE team_id = $team AND interface_id = $id AND definition -> 'config' ->> 'startsTemplate' = $name ORDER BY number DESC LIMIT 1`,
);

export const publish = sqlStatement<TeamScopedId & { number: number; folder: string | null; retainDays: number | null; at: Date }, never>(
  `UPDATE interface SET status = 'published', published_version = $number, folder_id = $folder, retain_days = $retainDays,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

export const setStatus = sqlStatement<TeamScopedId & { from: string; to: string; at: Date }, { id: string }>(
  `UPDATE interface SET status = $to, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = $from RETURNING id`,
);

/** Creates the submission counter. */
export const beginCount = sqlStatement<TeamScopedId, never>(
  'INSERT INTO interface_count (team_id, interface_id) VALUES ($team, $id) ON CONFLICT DO NOTHING',
);

/** Deletes a form and empties its draft. */
export const markDeleted = sqlStatement<TeamScopedId & { at: Date }, never>(
  `UPDATE interface SET deleted_at = $at, draft = '{}', version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
export const deleteLinks = sqlStatement<TeamScopedId, never>('DELETE FROM interface_link WHERE team_id = $team AND interface_id = $id');

type OwnerAndTitle = {
  title: string;
  titles: Text | null;
  locale: string | null;
  owner_id: string;
  suspended: boolean;
  barred: boolean;
  owner_excluded: boolean;
};

/** Returns the title for mails in the languages of the published version, and the owner. */
export const ownerAndTitle = sqlStatement<TeamScopedId, OwnerAndTitle>(
  `SELECT i.title, shown.definition->'title' AS titles,
     coalesce(shown.definition->'publicSettings'->>'locale', shown.definition->'publicSettings'->'locales'->>0) AS locale,
     i.owner_id, i.suspended_at IS NOT NULL AS suspended,
     place.barrier_id <> '${noBarrier}' AS barred, barrier_excludes($team, place.barrier_id, i.owner_id) AS owner_excluded
   FROM interface i
   LEFT JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   CROSS JOIN LATERAL (SELECT coalesce(v.definition, i.draft) AS definition) shown
   CROSS JOIN LATERAL (SELECT barrier_of($team, i.folder_id) AS barrier_id OFFSET 0) place
   WHERE i.team_id = $team AND i.id = $id AND i.deleted_at IS NULL`,
  { barred: 'the function never returns null', owner_excluded: 'the function never returns null' },
);

/** Locks the forms of a member, ordered by id: those that the member owns, and those whose effects use the rights of the member. */
export const lockInterfacesOf = sqlStatement<{ team: string; from: string }, { id: string }>(
  `SELECT i.id FROM interface i WHERE i.team_id = $team AND (i.owner_id = $from OR EXISTS (
     SELECT FROM interface_version v WHERE v.team_id = $team AND v.interface_id = i.id AND v.uses_by = $from
   )) ORDER BY i.id FOR NO KEY UPDATE`,
);
/** Transfers the forms of a member to the successor. The rights for effects pass from the member to the owner of the form. */
export const handOverInterfaces = sqlStatement<{ team: string; from: string; to: string; at: Date }, { id: string }>(
  `WITH uses AS (
     UPDATE interface_version v SET uses_by = CASE WHEN i.owner_id = $from THEN $to ELSE i.owner_id END
     FROM interface i WHERE v.team_id = $team AND v.uses_by = $from AND i.team_id = $team AND i.id = v.interface_id
   )
   UPDATE interface SET owner_id = $to, version = version + 1, updated_at = $at
   WHERE team_id = $team AND owner_id = $from RETURNING id`,
);

/** Returns the bindings of published forms to a registry. */
export const bindingsOfRegistry = sqlStatement<{ team: string; registry: string }, { binding: FormBinding }>(
  `SELECT b.value AS binding FROM interface i
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   CROSS JOIN LATERAL jsonb_array_elements(v.bindings) b
   WHERE i.team_id = $team AND i.status = 'published' AND i.deleted_at IS NULL AND b.value ->> 'registryId' = $registry`,
);

/** Pages through the drafts and published definitions of all teams that have amount fields, ordered by team and place. */
export const definitionsWithAmountsAfter = sqlStatement<
  { team: string; place: string; limit: number },
  { team_id: string; place: string; definition: Definition }
>(
  `SELECT team_id, place, definition FROM (
     SELECT i.team_id, 'form ' || i.id || ', draft' AS place, i.draft AS definition FROM interface i WHERE i.deleted_at IS NULL
     UNION ALL
     SELECT v.team_id, 'form ' || v.interface_id || ', published version', v.definition
     FROM interface i JOIN interface_version v ON v.team_id = i.team_id AND v.interface_id = i.id AND v.number = i.published_version
     WHERE i.deleted_at IS NULL
   ) stored WHERE definition @? '$.fields[*] ? (@.type == "money")' AND (team_id, place) > ($team::uuid, $place::text)
   ORDER BY team_id, place LIMIT $limit`,
);

/** Serializes retries, outputs and the erasure of a submission. */
export const lockSubmission = sqlStatement<{ id: string }, { locked: unknown }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('submission ' || $id, 0)) AS locked",
);
