import type { AddressPolicy, GuardedStream } from '#webhooks';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import type { Credentials } from './credentials.ts';
import type { AskRemote } from './remote.ts';

/** What the use cases of servers elsewhere work with, besides their scope. */
export type Servers = {
  policy: AddressPolicy;
  credentials: Credentials;
  ask: AskRemote;
  /** Reaches authorization servers, by the same rules as servers. */
  guarded: GuardedStream;
  /** Seals what goes along with somebody who signs in elsewhere. */
  states: Box;
  baseUrl: string;
  /** Origins of pages that people may be sent back to, besides those of the service. */
  corsOrigins: readonly string[];
  database: Database;
  listeners: readonly EventListener[];
  clock: () => Date;
};
