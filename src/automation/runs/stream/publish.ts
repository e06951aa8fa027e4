import type { Scope } from '../../../platform/scope.ts';
import { insertEvent } from './queries.ts';

/** The channels for the runs that have followers, and for the text of their models. */
export const followedChannel = 'agent_run_followed';
export const textChannel = 'agent_run_text';

/** A part of the text of a step: it replaces the text from character `at` on. */
export type Part = { step: number; at: number; text: string };

/** The channel for runs with new events. */
export const eventChannel = 'agent_run_event';

type RunEventData = {
  'run.started': { attempt: number };
  /** Sent after the failure of the previous node. The current step starts again. */
  'step.restarted': { attempt: number };
  'step.finished': { step: number; model: string; calls: { callId: string; tool: string }[] };
  'call.waiting': { callId: string; tool: string; taskId?: string; roundId?: string };
  'call.decided': { callId: string; outcome: string };
  'call.finished': { callId: string; tool: string; status: string; error?: string };
  'run.waiting': object;
  'run.finished': { status: string; reason?: string };
};

/** Adds an event to a run, in the transaction of the change, and notifies the followers. The caller must hold the lock of the run. */
export function addRunEvent<Type extends keyof RunEventData>(
  { db, team, now }: Scope,
  run: string,
  type: Type,
  data: RunEventData[Type],
): void {
  db.send(insertEvent, { team, run, type, data: JSON.stringify(data), at: now });
  db.notify(eventChannel, run);
}
