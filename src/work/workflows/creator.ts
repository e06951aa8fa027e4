/**
 * The person or API client whose rights automatic steps use: the creator of the workflow while they own it. If the owner changes, the rights of the
 * new owner are not used, because that person did not write these steps.
 */
export const creatorInTeam = (row: { created_by: string; owner_id: string }): string | undefined =>
  row.created_by === row.owner_id ? row.created_by : undefined;
