import { joinedText, leftSinceText } from '#teams';

/**
 * Whether who made a thing has left the team since, as a condition on its row: what they left is not theirs any more, also when
 * they come back, which counts as joining anew.
 */
export const makerLeftText = (row: string, madeAt = `${row}.created_at`) => leftSinceText(`${row}.team_id`, `${row}.created_by`, madeAt);

/** The same of a task: one of a workflow counts as given when that was made, whenever its step begins, and also when it is deleted. */
export const giverLeftText = (task: string) => makerLeftText(task, `${task}.given_at`);

/** Whether a program asks its own person by a task, as `asksOwnPerson` says, as a condition on its row. */
export const asksOwnPersonText = (task: string) =>
  `(${task}.type = 'tool_approval' AND ${task}.created_by_type = 'user' AND ${task}.workflow_id IS NULL)`;

/** Whether a task asks about a call of a tool, as `asksAboutCall` says, as a condition on its row. */
const asksAboutCallText = (task: string) => `(${task}.type IN ('tool_approval', 'tool_outcome') AND ${task}.workflow_id IS NULL)`;

/** Whether what such a task says is kept from who looks, who is not asked: a condition on its row. */
export const hiddenText = (task: string, user: string) => `(${asksAboutCallText(task)} AND ${task}.assigned_to IS DISTINCT FROM ${user})`;

/**
 * Whether somebody holds a task, or has ended it, since they came to the team, as a condition on its row. What they held and ended
 * before they left says nothing to them when they come back.
 */
export const heldText = (task: string, user: string) => `(
    ((${task}.assigned_to = ${user} OR ${task}.on_behalf_of = ${user}) AND ${task}.assigned_at >= coalesce(${joinedText(user)}, '-infinity'))
    OR (${task}.completed_by = ${user} AND ${task}.completed_at >= coalesce(${joinedText(user)}, '-infinity')))`;

/** Whether somebody has to do with a task by themself, and not by their role or scope: they hold it, have ended it, or gave it. A condition on its row. */
export const ownTaskText = (task: string, who: string) =>
  `(${heldText(task, who)} OR (${task}.created_by = ${who} AND NOT ${giverLeftText(task)}))`;
