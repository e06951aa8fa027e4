/**
 * Whether who made a thing has left the team since, as a condition on its row: what they left is not theirs any more, also when
 * they come back, which counts as joining anew.
 */
export const makerLeftText = (row: string, madeAt = `${row}.created_at`) => `EXISTS (
    SELECT FROM account maker WHERE maker.team_id = ${row}.team_id AND maker.id = ${row}.created_by
      AND (maker.deleted_at IS NOT NULL OR maker.created_at > ${madeAt}))`;

/** The same of a task: one of a workflow counts as made when that was, whenever its step begins. */
export const giverLeftText = (task: string) =>
  makerLeftText(
    task,
    `coalesce((SELECT made.created_at FROM workflow made WHERE made.team_id = ${task}.team_id AND made.id = ${task}.workflow_id), ${task}.created_at)`,
  );
