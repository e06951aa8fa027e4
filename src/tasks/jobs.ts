import type { Database } from '../platform/database/database.ts';
import { type EventListener, record } from '../platform/journal/record.ts';
import { taskOverdue } from './events.ts';
import * as queries from './queries.ts';
import { announcedTask } from './service.ts';

/** Announces each task that has passed its due date, once. Those of a paused workflow wait until it goes on. */
export async function announceOverdueTasks(database: Database, listeners: readonly EventListener[], now: Date): Promise<void> {
  const teams = await database.asSystem('find overdue tasks', (tx) => tx.all(queries.teamsWithOverdue, { now }));
  for (const { team_id: team } of teams) {
    await database.inTeam(team, async (db) => {
      const scope = { db, team, actor: { type: 'system' as const }, now, requestId: 'timer', listeners };
      const overdue = await db.all(queries.announceOverdue, { team, now });
      await Promise.all(overdue.map((task) => record(scope, taskOverdue, task.id, announcedTask(task))));
    });
  }
}
