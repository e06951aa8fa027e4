import { type Actor, runsTeam } from '../../platform/scope.ts';

/** What the rules ask of a request. `own`: its document is the actor's; `outside`: a wall keeps them from that. Who made it may have left the team since, and perhaps come back: it is theirs no more. */
export type RequestFacts = { created_by: string; maker_left: boolean; requested_by: string; own: boolean; outside: boolean };

/** Whose requests a list shows: all of the team's (null), or what this person, or this API client that is confined to folders, has to do with. */
export function seerOf(actor: Actor): string | null {
  if (actor.type === 'user') return runsTeam(actor) ? null : actor.id;
  return (actor.type === 'client' || actor.type === 'agent') && actor.folderIds ? actor.id : null;
}

/** Who looks, as walls know them: programs are inside of none. */
export const viewerOf = (actor: Actor): string | null => (actor.type === 'user' ? actor.id : null);

/** A request is seen by who asks, the owner of the document, those who run the team, and API clients; by nobody outside of a wall. */
export function maySee(actor: Actor, { created_by, maker_left, requested_by, own, outside }: RequestFacts): boolean {
  if (actor.type === 'system') return true;
  if (outside) return false;
  const seer = seerOf(actor);
  return seer === null || own || requested_by === seer || (created_by === seer && !maker_left);
}

/** Whoever sees a request manages it; a program only what it has asked for itself. */
export function mayManage(actor: Actor, { created_by, requested_by }: RequestFacts): boolean {
  return (actor.type !== 'client' && actor.type !== 'agent') || created_by === actor.id || requested_by === actor.id;
}

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
