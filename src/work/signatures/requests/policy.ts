/** Reasons why a signer may not act now. */
export type ActRefusal = 'over' | 'sealing' | 'preparing' | 'already_signed' | 'not_yours' | 'not_your_turn' | 'paused' | 'suspended';

export type SignerFacts = { role: 'signer' | 'approver' | 'copy'; status: 'waiting' | 'pending' | 'viewed' | 'signed' | 'declined' };
export type ActFacts = { status: string; expired: boolean; paused: boolean; suspended: boolean };

/**
 * Returns why a signer may not open, sign, decline or delegate, or undefined if allowed. Checks the end of the request first, then the signer's own
 * state, then the turn.
 */
export function actRefusal({ status, expired, paused, suspended }: ActFacts, signer: SignerFacts): ActRefusal | undefined {
  if (signer.status === 'signed' && (status === 'pending' || status === 'sealing' || status === 'failed')) return 'already_signed';
  if (status === 'sealing') return 'sealing';
  if (status === 'preparing') return 'preparing';
  if (status !== 'pending' || expired) return 'over';
  if (signer.role === 'copy') return 'not_yours';
  if (suspended) return 'suspended';
  if (paused) return 'paused';
  return signer.status === 'waiting' ? 'not_your_turn' : undefined;
}

/** Returns the signers whose turn it is: those with the lowest turn who have not signed. Copy recipients have no turn. */
export function turnOf<S extends SignerFacts & { turn: number }>(signers: readonly S[]): S[] {
  const left = signers.filter(({ role, status }) => role !== 'copy' && status !== 'signed');
  const first = Math.min(...left.map(({ turn }) => turn));
  return left.filter(({ turn }) => turn === first);
}

/** Days of the automatic reminders after the first email. */
export const reminderDays = [2, 5, 9, 14, 21] as const;
