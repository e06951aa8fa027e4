/** Why somebody may not do now what they came for; nothing when they may. */
export type ActRefusal = 'over' | 'sealing' | 'preparing' | 'already_signed' | 'not_yours' | 'not_your_turn' | 'paused' | 'suspended';

export type SignerFacts = { role: 'signer' | 'approver' | 'copy'; status: 'waiting' | 'pending' | 'viewed' | 'signed' | 'declined' };
export type ActFacts = { status: string; expired: boolean; paused: boolean; suspended: boolean };

/** Whether somebody who came by a link may open, sign, decline or pass on. What has ended is asked first, then what they have done, then whose turn it is. */
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

/** Those whose turn it is now: of those who have not signed, the ones that come first. Who gets a copy has no turn. */
export function turnOf<S extends SignerFacts & { turn: number }>(signers: readonly S[]): S[] {
  const left = signers.filter(({ role, status }) => role !== 'copy' && status !== 'signed');
  const first = Math.min(...left.map(({ turn }) => turn));
  return left.filter(({ turn }) => turn === first);
}

/** The days after which somebody is reminded by itself, since they were asked. */
export const reminderDays = [2, 5, 9, 14, 21] as const;
