import { availableParallelism } from 'node:os';
import { integer, setting } from '../../platform/settings.ts';

export const credentialSettings = {
  PASSWORD_MIN_LENGTH: setting('minimum password length, in code points', '8', integer(8, 64)),
  REFRESH_RETRY_GRACE_SECONDS: setting('seconds during which a used refresh token returns the same successor', '20', integer(0, 300)),
  HASH_CONCURRENCY: setting(
    'passwords hashed at once; by default the number of cores plus one, at most 3, because file access and name look-ups use the same threads',
    String(Math.min(availableParallelism() + 1, 3)),
    integer(1, 64),
  ),
} as const;
