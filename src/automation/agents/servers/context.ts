import type { AddressPolicy, GuardedStream } from '#webhooks';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import type { Credentials } from './credentials.ts';
import type { AskRemote } from './remote.ts';

/** Dependencies of the use cases of external MCP servers. */
export type Servers = {
  policy: AddressPolicy;
  credentials: Credentials;
  ask: AskRemote;
  /** Sends requests to authorization servers, with the same rules as for MCP servers. */
  guarded: GuardedStream;
  /** Encrypts the `state` parameter of sign-ins. */
  states: Box;
  baseUrl: string;
  /** Allowed origins of `returnTo` pages, in addition to the service itself. */
  corsOrigins: readonly string[];
  database: Database;
  listeners: readonly EventListener[];
  clock: () => Date;
};
