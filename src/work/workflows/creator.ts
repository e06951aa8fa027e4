/**
 * The person or program by whose rights automatic steps run: the creator of the workflow, while they own it. The successor of a creator who
 * left has not written these steps.
 */
export const creatorInTeam = (row: { created_by: string; owner_id: string }): string | undefined =>
  row.created_by === row.owner_id ? row.created_by : undefined;
