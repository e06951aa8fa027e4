/** How a booking stands. */
export const statuses = ['held', 'pending', 'confirmed', 'cancelled', 'declined', 'expired', 'completed', 'no_show'] as const;
export type Status = (typeof statuses)[number];

/** Those that keep their place. */
export const activeStatuses: readonly Status[] = ['held', 'pending', 'confirmed'];

/** What may be done with a booking: from which statuses, and to which. */
export const transitions = {
  /** The visitor has followed the mailed link. */
  acknowledge: { from: ['held'], to: ['pending', 'confirmed'] },
  confirm: { from: ['pending'], to: ['confirmed'] },
  decline: { from: ['pending'], to: ['declined'] },
  expire: { from: ['held', 'pending'], to: ['expired'] },
  move: { from: ['held', 'pending', 'confirmed'], to: ['held', 'pending', 'confirmed'] },
  cancel: { from: ['held', 'pending', 'confirmed'], to: ['cancelled'] },
  complete: { from: ['confirmed'], to: ['completed'] },
  noShow: { from: ['confirmed', 'completed'], to: ['no_show'] },
} as const satisfies Record<string, { from: readonly Status[]; to: readonly Status[] }>;
export type Transition = keyof typeof transitions;

export function may(transition: Transition, status: Status): boolean {
  return (transitions[transition].from as readonly Status[]).includes(status);
}
