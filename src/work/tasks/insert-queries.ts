import type { Transaction } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

/**
 * An escalation level: the delay after the due date in milliseconds, the target (a person or a role), and whether the target becomes the assignee.
 */
export type EscalationLevel = { after: number; to: string; reassign: boolean };

/** A task to insert. */
export type InsertedTask = Row<
  'task',
  | 'id'
  | 'title'
  | 'description'
  | 'type'
  | 'assigned_to'
  | 'assigned_group_id'
  | 'created_by'
  | 'created_by_type'
  | 'workflow_id'
  | 'step_id'
  | 'round_id'
  | 'approval_round_id'
  | 'document_id'
  | 'linked_document_id'
  | 'linked_by'
  | 'about_document_id'
  | 'document_version'
  | 'document_sha256'
  | 'on_new_version'
  | 'due_at'
  | 'delegated_from'
  | 'on_behalf_of'
  | 'escalate_at'
> & {
  /** The owner, if another person created the task. It is the owner of the workflow. */
  owner_id?: string;
  /** The matter of a task without a document of the team. Others are in the matter of their workflow or document. */
  container_id?: string | null;
  outcomes: readonly string[];
  escalation: readonly EscalationLevel[] | null;
};
/** Columns that are computed from the type of the task and its document. */
export type Derived =
  | 'round_id'
  | 'linked_document_id'
  | 'linked_by'
  | 'about_document_id'
  | 'document_version'
  | 'document_sha256'
  | 'on_new_version'
  | 'outcomes'
  | 'delegated_from'
  | 'on_behalf_of'
  | 'escalation'
  | 'escalate_at';

/** The columns of a new task and their types. The statement sets the other columns. */
const inserted = {
  id: 'uuid',
  title: 'text',
  description: 'text',
  type: 'text',
  assigned_to: 'uuid',
  assigned_group_id: 'uuid',
  created_by: 'uuid',
  created_by_type: 'text',
  workflow_id: 'uuid',
  step_id: 'text',
  round_id: 'uuid',
  approval_round_id: 'uuid',
  document_id: 'text',
  linked_document_id: 'uuid',
  linked_by: 'uuid',
  about_document_id: 'uuid',
  document_version: 'integer',
  document_sha256: 'text',
  on_new_version: 'text',
  outcomes: 'text[]',
  due_at: 'timestamptz',
  delegated_from: 'uuid',
  on_behalf_of: 'uuid',
  escalation: 'jsonb',
  escalate_at: 'timestamptz',
  container_id: 'uuid',
  owner_id: 'uuid',
} as const satisfies Record<keyof InsertedTask, string>;
const insertedColumns = Object.keys(inserted).filter((column) => column !== 'owner_id');
const insertSql = (tasks: string) =>
  `INSERT INTO task (team_id, ${insertedColumns.join(', ')}, owner_id, assigned_at, created_at, updated_at)
   SELECT $team, ${insertedColumns.map((column) => `t.${column}`).join(', ')}, coalesce(t.owner_id, t.created_by), $at, $at, $at FROM ${tasks}`;
const typed = Object.entries(inserted);

type SingleTask = Omit<InsertedTask, 'container_id' | 'escalation' | 'owner_id'> & {
  container_id: string | null;
  team: string;
  at: Date;
  escalation: string | null;
  owner_id: string | null;
};
const insertTask = sqlStatement<SingleTask, never>(
  insertSql(`(SELECT ${typed.map(([column, type]) => `$${column}::${type} AS ${column}`).join(', ')}) t`),
);
const insertSeveral = sqlStatement<{ team: string; tasks: string; at: Date }, never>(
  insertSql(`jsonb_to_recordset($tasks) AS t(${typed.map(([column, type]) => `${column} ${type}`).join(', ')})`),
);

/** Inserts tasks by one statement. A single task needs no JSON list. */
export function sendTasks(db: Transaction, { team, at }: { team: string; at: Date }, tasks: readonly InsertedTask[]): void {
  const [first, ...others] = tasks;
  if (first === undefined) return;
  const { escalation, owner_id = null, container_id = null } = first;
  if (others.length > 0) return db.send(insertSeveral, { team, at, tasks: JSON.stringify(tasks) });
  db.send(insertTask, { ...first, team, at, owner_id, container_id, escalation: escalation && JSON.stringify(escalation) });
}
