/** The statuses of a request, in their usual order. */
export const states = ['preparing', 'pending', 'sealing', 'completed', 'declined', 'expired', 'voided', 'failed'] as const;
export type State = (typeof states)[number];

/** Statuses of a live request, which locks its document against changes. */
export const live: readonly State[] = ['preparing', 'pending', 'sealing'];

/** The allowed changes of the status. Each one is a guarded update under the lock of the row, so one of two concurrent changes fails. */
export const moves = {
  /** The file is prepared, and the first signers get an email. */
  present: { from: ['preparing'], to: 'pending' },
  /** The last signer has signed. */
  seal: { from: ['pending'], to: 'sealing' },
  complete: { from: ['sealing'], to: 'completed' },
  decline: { from: ['pending'], to: 'declined' },
  expire: { from: ['pending'], to: 'expired' },
  void: { from: ['preparing', 'pending'], to: 'voided' },
  /** The preparation or the sealing failed permanently. */
  fail: { from: ['preparing', 'sealing'], to: 'failed' },
  /** Retries the sealing of a fully signed request. */
  sealAgain: { from: ['failed'], to: 'sealing' },
  /** Retries the preparation of a request before any email. */
  prepareAgain: { from: ['failed'], to: 'preparing' },
} as const satisfies Record<string, { from: readonly State[]; to: State }>;
export type Move = keyof typeof moves;
