import { randomUUIDv7 } from 'node:crypto';
import type { Static } from 'typebox';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { recordAudit, serviceJournal } from '../../platform/journal/record.ts';
import { keyRotated } from './events.ts';
import { type KeyBox, makeKey, openKeyBox } from './new-key.ts';
import * as queries from './queries.ts';
import {
  type AccessAlgorithm,
  type KeyFacts,
  planRotation,
  publishedSeconds,
  type Purpose,
  purposes,
  purposesOnDemand,
  retiredSeconds,
  type RotationRules,
  samlKeySeconds,
} from './rotation.ts';

export type KeySettings = { accessAlgorithm: AccessAlgorithm; rotationDays: number };
/** The settings of a rotation, and its time for the journal. */
type DatedSettings = KeySettings & { now: Date };

/**
 * When the next key starts to sign: after its publication period, or now. `compromised`
 * also removes the old key and the next key at once, because an attacker may know both.
 */
export type RotationTime = 'once published' | 'now' | 'compromised';

/** The result of a requested rotation: `done`, or the time when the next key starts to sign (ISO 8601). */
export type RequestedRotation = { kid: string; signs: 'now' } | { kid: string; signs: 'later'; from: string };

/**
 * Performs the due rotations: creates the first keys, publishes and activates next keys, and removes retired ones
 * from the sets. It is safe to run on any node at any time, because runs are serialized and use the database clock.
 */
export async function maintainKeys(database: Database, masterKey: MasterKey, settings: KeySettings): Promise<void> {
  const box = openKeyBox(masterKey);
  const dated = { ...settings, now: new Date(database.clock.now()) };
  await database.asSystem('tend the signing keys', async (tx) => {
    await tx.all(queries.lockKeys, {});
    for (const purpose of purposes)
      if (!purposesOnDemand.includes(purpose) || (await factsOf(tx, purpose)).length > 0) await tend(tx, purpose, box, dated);
  });
}

/** Creates the first keys of a purpose, unless another node has. */
export async function createFirstKeys(database: Database, masterKey: MasterKey, settings: KeySettings, purpose: Purpose): Promise<void> {
  const dated = { ...settings, now: new Date(database.clock.now()) };
  await database.asSystem('create signing keys', async (tx) => {
    await tx.all(queries.lockKeys, {});
    await tend(tx, purpose, openKeyBox(masterKey), dated);
  });
}

/** Returns the rules of a purpose. */
function rulesOf(purpose: Purpose, { accessAlgorithm, rotationDays }: KeySettings): RotationRules {
  const rotationSeconds = rotationDays * 86_400;
  if (purpose === 'access') return { alg: accessAlgorithm, rotationSeconds, keepRetired: retiredSeconds };
  if (purpose === 'saml') return { alg: 'RS256', rotationSeconds: samlKeySeconds, keepRetired: 0 };
  return { alg: 'EdDSA', rotationSeconds, keepRetired: 'forever' };
}

/**
 * Requests that the next key of a purpose signs. It signs at once if `when` is
 * `now` or its publication period is over, otherwise at the end of that period.
 */
export async function rotateKey(
  database: Database,
  masterKey: MasterKey,
  settings: KeySettings,
  { purpose, when }: { purpose: Purpose; when: RotationTime },
): Promise<RequestedRotation> {
  const box = openKeyBox(masterKey);
  const dated = { ...settings, now: new Date(database.clock.now()) };
  return database.asSystem('rotate a signing key', async (tx) => {
    await tx.all(queries.lockKeys, {});
    // Performs due rotations first, for example a next key with a changed algorithm.
    await tend(tx, purpose, box, dated);
    if (when === 'compromised') return replaceAll(tx, purpose, box, dated);
    const requested = await tx.first(queries.askForNext, { purpose, after: when === 'now' ? 0 : publishedSeconds });
    if (!requested) throw new Error(`no next ${purpose} key exists`);
    const [done] = await tend(tx, purpose, box, dated);
    return done === requested.kid ? { kid: done, signs: 'now' } : { kid: requested.kid, signs: 'later', from: requested.activates_at };
  });
}

/** Removes the active and the next keys of a purpose and creates new ones. All tokens of the old keys become invalid. */
async function replaceAll(tx: Transaction, purpose: Purpose, box: KeyBox, settings: DatedSettings): Promise<RequestedRotation> {
  const old = await factsOf(tx, purpose);
  await tx.all(queries.removeKeys, { kids: old.map(({ kid }) => kid) });
  const [kid = ''] = await tend(tx, purpose, box, settings);
  const previous = old.find(({ status }) => status === 'active')?.kid;
  await recordRotation(tx, settings.now, kid, { purpose, reason: 'compromised', ...(previous === undefined ? {} : { previous }) });
  return { kid, signs: 'now' };
}

async function recordRotation(tx: Transaction, now: Date, kid: string, data: Static<typeof keyRotated.data>): Promise<void> {
  await recordAudit(serviceJournal(tx, { now, requestId: randomUUIDv7() }), keyRotated, kid, data);
}

/** Executes the rotation plan of one purpose under the lock. Returns the keys that start to sign, if any. */
async function tend(tx: Transaction, purpose: Purpose, box: KeyBox, settings: DatedSettings): Promise<string[]> {
  const rules = rulesOf(purpose, settings);
  const plan = planRotation(await factsOf(tx, purpose), rules);
  const { remove, activate, publish } = plan;
  if (remove.length > 0) await tx.all(queries.removeKeys, { kids: remove });
  if (activate) {
    await tx.all(queries.retireActive, { purpose });
    await tx.all(queries.activateNext, { kid: activate.kid });
    // The first key replaces no other, so no rotation is recorded.
    if (activate.previous !== undefined)
      await recordRotation(tx, settings.now, activate.kid, {
        purpose,
        alg: rules.alg,
        reason: activate.reason,
        previous: activate.previous,
      });
  }
  if (publish) await tx.all(queries.insertNext, await makeKey(purpose, rules.alg, box, settings.now));
  if (remove.length > 0 || activate || publish) await tx.all(queries.notifyKeysChanged, {});
  // A purpose without any key: the key just published signs at once, and a next one is created.
  if (publish && !activate && !(await factsOf(tx, purpose)).some(({ status }) => status === 'active'))
    return tend(tx, purpose, box, settings);
  return activate ? [activate.kid] : [];
}

async function factsOf(tx: Transaction, purpose: Purpose): Promise<KeyFacts[]> {
  const rows = await tx.all(queries.keyAges, {});
  return rows
    .filter((row) => row.purpose === purpose)
    .map((row) => ({
      kid: row.kid,
      alg: row.alg,
      status: row.status,
      publishedFor: row.published_for,
      activeFor: row.active_for,
      retiredFor: row.retired_for,
      due: row.due,
    }));
}
