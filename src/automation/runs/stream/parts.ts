/** Where nodes hear that somebody follows a run, and what a model says in it. */
export const followedChannel = 'agent_run_followed';
export const textChannel = 'agent_run_text';

/** A part of what a model says in a step: it stands from character `at` on, and what stood there before is void. */
export type Part = { step: number; at: number; text: string };
