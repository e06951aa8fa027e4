/**
 * Whether who made a thing has left the team since, as a condition on its row: what they left is not theirs any more, also when
 * they come back, which counts as joining anew.
 */
export const makerLeftText = (row: string, madeAt = `${row}.created_at`) => `EXISTS (
    SELECT FROM account maker WHERE maker.team_id = ${row}.team_id AND maker.id = ${row}.created_by
      AND (maker.deleted_at IS NOT NULL OR maker.created_at > ${madeAt}))`;

/** The same of a task: one of a workflow counts as given when that was made, whenever its step begins, and also when it is deleted. */
export const giverLeftText = (task: string) => makerLeftText(task, `${task}.given_at`);

/** When a person came to the team, for the last time: an expression. */
const joinedText = (user: string) => `(SELECT joined.created_at FROM account joined WHERE joined.team_id = $team AND joined.id = ${user})`;

/**
 * Whether somebody holds a task, or has ended it, since they came to the team, as a condition on its row. What they held and ended
 * before they left says nothing to them when they come back.
 */
export const heldText = (task: string, user: string) => `(
    (${task}.assigned_to = ${user} AND ${task}.assigned_at >= coalesce(${joinedText(user)}, '-infinity'))
    OR (${task}.completed_by = ${user} AND ${task}.completed_at >= coalesce(${joinedText(user)}, '-infinity')))`;
