import { sqlStatement } from '../../platform/database/statement.ts';

/** An event of a team, at its position in the team’s journal. */
export type ChangeRow = {
  number: number;
  target_type: string;
  target_id: string;
  at: string;
  /** Members of its data: the folder, form, registry or agent of the target. */
  folder: string | null;
  form: string | null;
  registry: string | null;
  agent: string | null;
};

/** The number of the team’s last entry in the tree, or 0. */
export const lastNumber = sqlStatement<{ team: string }, { number: number }>(
  'SELECT coalesce(max(number), 0)::bigint AS number FROM audit_entry WHERE team_id = $team AND number IS NOT NULL',
);

/** The entries of some types between two positions, in order. `after` is not included. */
export const changesBetween = sqlStatement<{ team: string; after: number; to: number; types: readonly string[] }, ChangeRow>(
  `SELECT number, target_type, target_id, at, data ->> 'folderId' AS folder, data ->> 'interfaceId' AS form, data ->> 'registryId' AS registry,
     data ->> 'agentId' AS agent
   FROM audit_entry
   WHERE team_id = $team AND number > $after AND number <= $to AND type = ANY ($types) AND target_id IS NOT NULL
   ORDER BY number`,
  { target_type: 'an event has a target' },
);
