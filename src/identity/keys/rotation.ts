import { longestTokenSeconds } from '../../platform/lifetimes.ts';

/** What a key signs: access tokens, the audit journal's checkpoints, deliveries of webhooks, or the evidence of signatures. None is taken for another. */
export const purposes = ['access', 'witness', 'webhook', 'evidence'] as const;
export type Purpose = (typeof purposes)[number];
export type AccessAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

/** How long others may keep a key set: its `max-age` and `stale-while-revalidate`, in seconds. */
export const cachedSeconds = { maxAge: 300, staleWhileRevalidate: 60 };
/** A node that missed the notification of a change reads the keys again after so many seconds. */
export const reloadSeconds = 60;
const skewSeconds = 5;

/** A key signs once it has been published so long: nobody's copy of the set is then without it. */
export const publishedSeconds = 600;
/** A key that no longer signs stays published until the last token of the slowest node has ended everywhere. */
export const retiredSeconds = longestTokenSeconds + skewSeconds + cachedSeconds.maxAge + cachedSeconds.staleWhileRevalidate + reloadSeconds;

/** A key that is published, with its ages in seconds by the clock of the database. */
export type KeyFacts = {
  kid: string;
  alg: string;
  status: string;
  publishedFor: number;
  activeFor: number | null;
  retiredFor: number | null;
  /** Somebody asked that it sign, and the time they were told has come. */
  due: boolean;
};

export type RotationRules = { alg: string; rotationSeconds: number; keepRetired: 'forever' | number };
export type RotationReason = 'first' | 'age' | 'algorithm' | 'command';

/** What is to happen to the keys of one purpose. */
export type RotationPlan = {
  /** Keys that leave the published set. */
  remove: string[];
  /** The next key that signs from now on, and the one that retires. */
  activate: { kid: string; previous: string | undefined; reason: RotationReason } | undefined;
  /** Whether a new next key has to be made and published. */
  publish: boolean;
};

/** Why the active key should be followed by the next one, if it should. */
function reasonToRotate(active: KeyFacts | undefined, next: KeyFacts, rules: RotationRules): RotationReason | undefined {
  if (!active) return 'first';
  if (next.due) return 'command';
  if (active.alg !== rules.alg) return 'algorithm';
  return (active.activeFor ?? 0) >= rules.rotationSeconds ? 'age' : undefined;
}

/**
 * The rules of rotation, for the keys of one purpose. There is always a next key, published long before it signs, so that
 * a rotation never depends on who fetched the set when; one of another algorithm than the one set is replaced.
 */
export function planRotation(keys: readonly KeyFacts[], rules: RotationRules): RotationPlan {
  const active = keys.find(({ status }) => status === 'active');
  const next = keys.find(({ status }) => status === 'next');
  const usable = next?.alg === rules.alg ? next : undefined;
  const reason = usable && reasonToRotate(active, usable, rules);
  const ready = usable && reason && (reason === 'first' || reason === 'command' || usable.publishedFor >= publishedSeconds);
  const over = keys.filter(({ retiredFor }) => rules.keepRetired !== 'forever' && (retiredFor ?? 0) > rules.keepRetired);
  return {
    remove: [...over, ...(next && !usable ? [next] : [])].map(({ kid }) => kid),
    activate: ready ? { kid: usable.kid, previous: active?.kid, reason } : undefined,
    publish: !usable || Boolean(ready),
  };
}
