import { availableParallelism } from 'node:os';
import { integer, setting } from '../../platform/settings.ts';

/** The settings of this domain. */
export const credentialSettings = {
  PASSWORD_MIN_LENGTH: setting('shortest password, in code points', '8', integer(8, 64)),
  REFRESH_RETRY_GRACE_SECONDS: setting('how long a used refresh token gets the same successor again', '20', integer(0, 300)),
  HASH_CONCURRENCY: setting(
    'passwords hashed at once; by default one more than there are cores, at most 3: files and name look-ups share their threads',
    String(Math.min(availableParallelism() + 1, 3)),
    integer(1, 64),
  ),
} as const;
