/** Whether a program asks its own person by a task, as `asksOwnPerson` says, as a condition on its row. */
export const asksOwnPersonText = (task: string) =>
  `(${task}.type = 'tool_approval' AND ${task}.created_by_type = 'user' AND ${task}.workflow_id IS NULL)`;

/** Whether a task asks about a call of a tool, as `asksAboutCall` says, as a condition on its row. */
const asksAboutCallText = (task: string) => `(${task}.type IN ('tool_approval', 'tool_outcome') AND ${task}.workflow_id IS NULL)`;

/** Whether what such a task says is kept from who looks, who is not asked: a condition on its row. */
export const hiddenText = (task: string, user: string) => `(${asksAboutCallText(task)} AND ${task}.assigned_to IS DISTINCT FROM ${user})`;
