import type { Administration } from '#accounts';
import { createThrottle, type Throttle } from '#credentials';
import type { KeyRing } from '#keys';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { RefreshKeys } from '../../platform/crypto/refresh-tokens.ts';
import type { Box } from '../../platform/crypto/secretbox.ts';
import type { PasswordHasher } from '../../platform/crypto/password-hash.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { SealedColumn } from '../../platform/database/reencrypt.ts';
import type { Proof } from '../../platform/database/credential-check.ts';
import { createDevicePass, type DevicePass } from '../../platform/http/device-pass.ts';
import { proven } from '../../platform/http/with-credential-check.ts';
import { createRefreshCookie, type RefreshCookie } from '../../platform/http/refresh-cookie.ts';
import type { EventListener } from '../../platform/journal/listeners.ts';
import { serviceTeam } from '../../platform/journal/record.ts';
import type { Actor, Scope } from '../../platform/scope.ts';
import { createStaffTokens, type StaffTokens } from './tokens.ts';

export type StaffSettings = {
  baseUrl: string;
  corsOrigins: readonly string[];
  passwordMinLength: number;
  refreshGraceSeconds: number;
  requireTotp: boolean;
};

export type StaffDependencies = {
  database: Database;
  keys: KeyRing;
  hasher: PasswordHasher;
  masterKey: MasterKey;
  listeners: readonly EventListener[];
  settings: StaffSettings;
  /** The accounts functions that staff operations on users need. */
  people: Administration;
};

/** Dependencies of the use cases of staff. */
export type Staff = Pick<StaffDependencies, 'database' | 'hasher' | 'settings' | 'listeners' | 'people'> & {
  tokens: StaffTokens;
  throttle: Throttle;
  cookie: RefreshCookie;
  /**
   * The cookie that marks a browser from which a person has signed in. Wrong passwords from other devices do not block sign-ins from these browsers.
   */
  pass: DevicePass;
  refreshKeys: RefreshKeys;
  factors: Box;
};

const factorPurpose = 'staff-two-factor';
/** The context that the encrypted secret of a second factor is bound to. */
export const factorPlace = (id: string) => `staff ${id}`;

/** The encrypted columns with secrets of second factors. */
export const sealedStaffFactors: readonly SealedColumn[] = [
  { table: 'staff', column: 'totp_secret', key: { id: 'uuid' }, purpose: factorPurpose, boundTo: ({ id = '' }) => factorPlace(id) },
  {
    table: 'staff_totp_setup',
    column: 'secret',
    key: { staff_id: 'uuid' },
    purpose: factorPurpose,
    boundTo: ({ staff_id: id = '' }) => factorPlace(id),
  },
];

/** The network address, user agent, identifier and time of a request. */
export type Origin = { now: Date; requestId: string; ip?: string; userAgent?: string };

const dayInSeconds = 86_400;
const passSeconds = 30 * dayInSeconds;

export function openStaff(deps: StaffDependencies): Staff {
  const { database, keys, hasher, masterKey, listeners, settings, people } = deps;
  return {
    database,
    hasher,
    settings,
    listeners,
    tokens: createStaffTokens({ ask: (work) => across({ database }, 'staff session', work), keys, issuer: settings.baseUrl }),
    // The key differs from that of users, so that they never share a counter.
    throttle: createThrottle(masterKey.derive('staff-throttle')),
    people,
    cookie: createRefreshCookie('staff_refresh_token', dayInSeconds, settings),
    pass: createDevicePass('staff_device', passSeconds, { key: masterKey.derive('staff-device-pass'), settings }),
    refreshKeys: masterKey.accepted('staff-refresh-tokens'),
    factors: masterKey.box(factorPurpose),
  };
}

/**
 * Runs a transaction with access to all teams and to the tables of staff, which requests of a team cannot read. With `proof`, it commits only if that
 * credential is still valid.
 */
export function across<T>(
  staff: Pick<Staff, 'database'>,
  reason: string,
  work: (db: Transaction) => Promise<T>,
  proof?: Proof,
): Promise<T> {
  return proven(() => staff.database.asSystem(reason, work, proof));
}

/** Runs a transaction over the tables of staff, which requests of a team cannot read. Actions are recorded in the journal of the service. */
export function asStaff<T>(
  staff: Staff,
  reason: string,
  origin: Origin,
  actor: Actor,
  work: (scope: Scope) => Promise<T>,
  proof?: Proof,
): Promise<T> {
  return across(staff, reason, (db) => work(inJournal(staff, db, serviceTeam, origin, actor)), proof);
}

/** Returns the scope that records in the journal of a team or of the service. */
export function inJournal(staff: Pick<Staff, 'listeners'>, db: Transaction, team: string, origin: Origin, actor: Actor): Scope {
  const { now, requestId, ip } = origin;
  return { db, team, actor, now, requestId, ...(ip === undefined ? {} : { ip }), listeners: staff.listeners };
}
