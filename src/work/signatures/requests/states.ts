/** The states of a request, in the order in which it goes through them. */
export const states = ['preparing', 'pending', 'sealing', 'completed', 'declined', 'expired', 'voided', 'failed'] as const;
export type State = (typeof states)[number];

/** A request that has not ended: its document stands still. */
export const live: readonly State[] = ['preparing', 'pending', 'sealing'];

/**
 * What may happen to a request: the states that it leaves, and the one it comes to. Each is one guarded update under the lock of the row: of two that race
 * one finds a state that it may leave.
 */
export const moves = {
  /** What is presented was made: those whose turn it is are written to. */
  present: { from: ['preparing'], to: 'pending' },
  /** The last one who was to sign has. */
  seal: { from: ['pending'], to: 'sealing' },
  complete: { from: ['sealing'], to: 'completed' },
  decline: { from: ['pending'], to: 'declined' },
  expire: { from: ['pending'], to: 'expired' },
  void: { from: ['preparing', 'pending'], to: 'voided' },
  /** What cannot be presented or sealed, however often it is tried. */
  fail: { from: ['preparing', 'sealing'], to: 'failed' },
  /** Of a failed one whose signatures are all there. */
  sealAgain: { from: ['failed'], to: 'sealing' },
  /** Of a failed one that nobody was asked to sign yet. */
  prepareAgain: { from: ['failed'], to: 'preparing' },
} as const satisfies Record<string, { from: readonly State[]; to: State }>;
export type Move = keyof typeof moves;
