/** The kinds of notifications about a booking. */
export const notificationKinds = [
  'held',
  'pending',
  'confirmed',
  'moved',
  'move_requested',
  'move_declined',
  'cancelled',
  'declined',
  'expired',
  'reminder',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
