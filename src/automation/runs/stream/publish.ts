import type { Scope } from '../../../platform/scope.ts';
import { insertEvent } from './queries.ts';

/** Where nodes hear that somebody follows a run, and what a model says in it. */
export const followedChannel = 'agent_run_followed';
export const textChannel = 'agent_run_text';

/** A part of what a model says in a step: it stands from character `at` on, and what stood there before is void. */
export type Part = { step: number; at: number; text: string };

/** Where nodes hear that something has happened in a run. */
export const eventChannel = 'agent_run_event';

type Told = {
  'run.started': { attempt: number };
  /** The node that had it in hand died: what it was about is done again. */
  'step.restarted': { attempt: number };
  'step.finished': { step: number; model: string; calls: { callId: string; tool: string }[] };
  'call.waiting': { callId: string; tool: string; taskId: string };
  'call.decided': { callId: string; outcome: string };
  'call.finished': { callId: string; tool: string; status: string; error?: string };
  'run.waiting': object;
  'run.finished': { status: string; reason?: string };
};

/** Tells those who follow a run that something has happened, in the transaction in which it does. The run is locked by the caller. */
export function tell<Type extends keyof Told>({ db, team, now }: Scope, run: string, type: Type, data: Told[Type]): void {
  db.send(insertEvent, { team, run, type, data: JSON.stringify(data), at: now });
  db.notify(eventChannel, run);
}
