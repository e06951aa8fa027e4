/**
 * The person or program whose rights automatic steps use: the creator of the workflow while they own it. The rights of a successor are not used,
 * because they did not write these steps.
 */
export const creatorInTeam = (row: { created_by: string; owner_id: string }): string | undefined =>
  row.created_by === row.owner_id ? row.created_by : undefined;
