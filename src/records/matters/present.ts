import type { AccessibleMatter } from './access.ts';
import type { ClientRow, ContentRow, DeadlineRow } from './queries.ts';
import type { MatterClient, MatterContent, Deadline, Matter } from './schemas.ts';

/** The matter of the API. Members without a value are absent. */
export const presentMatter = ({ matter, root }: Pick<AccessibleMatter, 'matter' | 'root'>): Matter => ({
  id: matter.id,
  number: matter.number,
  name: root.name,
  status: matter.status,
  ...(matter.client_id === null ? {} : { clientId: matter.client_id }),
  ...(matter.practice === null ? {} : { practice: matter.practice }),
  responsibleId: root.user_id,
  ...(root.barrier_id === root.id ? { barrier: true as const } : {}),
  ...(matter.opened_on === null ? {} : { openedOn: matter.opened_on }),
  ...(matter.closed_on === null ? {} : { closedOn: matter.closed_on }),
  ...(matter.retain_until === null ? {} : { retainUntil: matter.retain_until }),
  ...(Object.keys(matter.fields).length === 0 ? {} : { fields: matter.fields }),
  createdBy: root.created_by,
  createdByType: root.created_by_type,
  createdAt: root.created_at,
  updatedAt: root.updated_at,
});

export const presentContent = (row: ContentRow): MatterContent => ({
  type: row.type,
  id: row.id,
  name: row.name,
  ...(row.is_open ? { open: true as const } : {}),
  updatedAt: row.updated_at,
});

export const presentClient = (row: ClientRow): MatterClient => ({
  id: row.id,
  name: row.name,
  ...(row.reference === null ? {} : { reference: row.reference }),
  createdBy: row.created_by,
  createdByType: row.created_by_type,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const presentDeadline = (row: DeadlineRow): Deadline => ({
  id: row.id,
  matterId: row.matter_id,
  title: row.title,
  dueDate: row.due_at,
  ...(row.source === null ? {} : { source: row.source }),
  ...(row.assignee_id === null ? {} : { assigneeId: row.assignee_id }),
  remindDays: row.remind_days,
  ...(row.task_id === null ? {} : { taskId: row.task_id }),
  createdBy: row.created_by,
  createdByType: row.created_by_type,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
