/** The statuses of a booking. */
export const statuses = ['held', 'pending', 'confirmed', 'cancelled', 'declined', 'expired', 'completed', 'no_show'] as const;
export type BookingState = (typeof statuses)[number];

/** The statuses that occupy time in the calendar. */
export const activeStatuses: readonly BookingState[] = ['held', 'pending', 'confirmed'];

/** The allowed status changes. */
export const transitions = {
  /** The visitor followed the mailed link. */
  acknowledge: { from: ['held'], to: ['pending', 'confirmed'] },
  confirm: { from: ['pending'], to: ['confirmed'] },
  decline: { from: ['pending'], to: ['declined'] },
  expire: { from: ['held', 'pending'], to: ['expired'] },
  move: { from: ['held', 'pending', 'confirmed'], to: ['held', 'pending', 'confirmed'] },
  cancel: { from: ['held', 'pending', 'confirmed'], to: ['cancelled'] },
  complete: { from: ['confirmed'], to: ['completed'] },
  noShow: { from: ['confirmed', 'completed'], to: ['no_show'] },
} as const satisfies Record<string, { from: readonly BookingState[]; to: readonly BookingState[] }>;
export type Transition = keyof typeof transitions;

export function may(transition: Transition, status: BookingState): boolean {
  return (transitions[transition].from as readonly BookingState[]).includes(status);
}
