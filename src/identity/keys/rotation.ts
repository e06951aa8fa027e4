import { longestTokenSeconds } from '../../platform/lifetimes.ts';

/**
 * The purpose of a key: access tokens, checkpoints of the audit journal, webhook
 * deliveries, signature evidence, or requests to SAML providers. A key is valid for one purpose only.
 */
export const purposes = ['access', 'witness', 'webhook', 'evidence', 'saml'] as const;
/** The purposes of keys that exist from the first use on, because many services never need them. */
export const purposesOnDemand: readonly Purpose[] = ['saml'];
/** Seconds for which a SAML key signs. Administrators of providers may have to enter the next certificate by hand. */
export const samlKeySeconds = 3 * 365 * 86_400;
export type Purpose = (typeof purposes)[number];
export type AccessAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

/** Cache lifetimes of a key set in seconds: `max-age` and `stale-while-revalidate`. */
export const cachedSeconds = { maxAge: 300, staleWhileRevalidate: 60 };
/** Seconds after which a node that missed a notification reloads the keys. */
export const reloadSeconds = 60;
const skewSeconds = 5;

/** Seconds between the publication of a key and its first signature, so that every cached set includes it. */
export const publishedSeconds = 600;
/**
 * Seconds for which a retired key stays published. Each token that it signed has expired by then, also on a node with a
 * slow clock.
 */
export const retiredSeconds = longestTokenSeconds + skewSeconds + cachedSeconds.maxAge + cachedSeconds.staleWhileRevalidate + reloadSeconds;

/** A published key with its ages in seconds by the database clock. */
export type KeyFacts = {
  kid: string;
  alg: string;
  status: string;
  publishedFor: number;
  activeFor: number | null;
  retiredFor: number | null;
  /** Whether an operator requested the rotation to this key, and the announced time has passed. */
  due: boolean;
};

export type RotationRules = { alg: string; rotationSeconds: number; keepRetired: 'forever' | number };
export type RotationReason = 'first' | 'age' | 'algorithm' | 'command';

/** The planned changes to the keys of one purpose. */
export type RotationPlan = {
  /** Keys to remove from the published set. */
  remove: string[];
  /** The next key that starts to sign, and the key that it replaces. */
  activate: { kid: string; previous: string | undefined; reason: RotationReason } | undefined;
  /** Whether a new next key must be created and published. */
  publish: boolean;
};

/** Returns why the next key must replace the active one, or undefined. */
function reasonToRotate(active: KeyFacts | undefined, next: KeyFacts, rules: RotationRules): RotationReason | undefined {
  if (!active) return 'first';
  if (next.due) return 'command';
  if (active.alg !== rules.alg) return 'algorithm';
  return (active.activeFor ?? 0) >= rules.rotationSeconds ? 'age' : undefined;
}

/**
 * Plans the rotation of one purpose. A next key is always published long before it signs, so a
 * rotation does not depend on caches. A next key with another algorithm than the setting is replaced.
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
