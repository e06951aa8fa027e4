import type { RowWithout } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import type { Parameter, TemplateStep } from './schemas.ts';

/** A row of a template. `steps` has the steps as they were given. They were checked when they were stored. */
export type TemplateRow = RowWithout<'workflow_template', 'parameters' | 'steps' | 'steps_by' | 'team_id'> & {
  steps: TemplateStep[];
  parameters: Parameter[];
  /** Who last changed its steps. */
  steps_by: string | null;
};

const ofTemplate = `name, description, steps, parameters, created_by, created_by_type, owner_id, steps_by, version, created_at, updated_at`;

export const findTemplate = sqlStatement<{ team: string; name: string }, TemplateRow>(
  `SELECT ${ofTemplate} FROM workflow_template WHERE team_id = $team AND name = $name`,
);

export const lockTemplate = sqlStatement<{ team: string; name: string }, TemplateRow>(
  `SELECT ${ofTemplate} FROM workflow_template WHERE team_id = $team AND name = $name FOR UPDATE`,
);

/** Locks templates against deletion, in the order of their names. */
export const holdTemplates = sqlStatement<{ team: string; names: readonly string[] }, { name: string }>(
  'SELECT name FROM workflow_template WHERE team_id = $team AND name = ANY ($names) ORDER BY name FOR KEY SHARE',
);

/** The names of the templates of a team. The number of templates is limited. */
export const templateNames = sqlStatement<{ team: string }, { name: string }>(
  'SELECT name FROM workflow_template WHERE team_id = $team ORDER BY name',
);

/** Serializes the creation of templates in a team, so that each creation counts the previous ones. */
export const lockTemplateCount = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('workflow templates ' || $team, 0)) AS locked",
);

export const countTemplates = sqlStatement<{ team: string }, { templates: number }>(
  'SELECT count(*)::integer AS templates FROM workflow_template WHERE team_id = $team',
);

export const insertTemplate = sqlStatement<
  { team: string; name: string; description: string; steps: string; parameters: string; by: string | null; byType: string; at: Date },
  TemplateRow
>(
  `INSERT INTO workflow_template (team_id, name, description, steps, parameters, created_by, created_by_type, owner_id, steps_by, created_at, updated_at)
   VALUES ($team, $name, $description, $steps, $parameters, $by, $byType, $by, $by, $at, $at) ON CONFLICT DO NOTHING RETURNING ${ofTemplate}`,
);

export const updateTemplate = sqlStatement<
  { team: string; name: string; description: string | null; steps: string | null; parameters: string | null; by: string | null; at: Date },
  TemplateRow
>(
  `UPDATE workflow_template SET description = coalesce($description, description), steps = coalesce($steps::jsonb, steps),
     parameters = coalesce($parameters::jsonb, parameters),
     steps_by = CASE WHEN $steps::jsonb IS NULL AND $parameters::jsonb IS NULL THEN steps_by ELSE $by::uuid END, version = version + 1, updated_at = $at
   WHERE team_id = $team AND name = $name RETURNING ${ofTemplate}`,
);

/** Maximum number of stored versions of a template. */
const maxVersions = 100;

/** Stores the current template as one of its versions. */
export const keepTemplateVersion = sqlStatement<{ team: string; name: string; by: string | null; byType: string; at: Date }, never>(
  `WITH dropped AS (
     DELETE FROM workflow_template_version v USING workflow_template t
     WHERE v.team_id = $team AND v.name = $name AND t.team_id = $team AND t.name = $name AND v.version <= t.version - ${maxVersions}
   )
   INSERT INTO workflow_template_version (team_id, name, version, description, steps, parameters, created_by, created_by_type, created_at)
   SELECT team_id, name, version, description, steps, parameters, $by::uuid, $byType, $at FROM workflow_template WHERE team_id = $team AND name = $name`,
);

export const deleteTemplate = sqlStatement<{ team: string; name: string }, { name: string }>(
  'DELETE FROM workflow_template WHERE team_id = $team AND name = $name RETURNING name',
);
