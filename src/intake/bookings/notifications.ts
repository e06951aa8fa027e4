/** What people are told of a booking. */
export const tidings = [
  'held',
  'pending',
  'confirmed',
  'moved',
  'move_asked',
  'move_declined',
  'cancelled',
  'declined',
  'expired',
  'reminder',
] as const;
export type Tiding = (typeof tidings)[number];
