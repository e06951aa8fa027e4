import type { AddressPolicy } from '#webhooks';
import type { Credentials } from './credentials.ts';
import type { AskRemote } from './remote.ts';

/** What the use cases of servers elsewhere work with, besides their scope. */
export type Servers = { policy: AddressPolicy; credentials: Credentials; ask: AskRemote };
