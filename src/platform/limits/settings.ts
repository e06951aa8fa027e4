import { integer, setting } from '../settings.ts';

/**
 * How much one team, one address or one request may take: every limit that an operator may want to change, with its
 * default. docs/limits.md is made from here.
 */
export const limitSettings = {
  READ_LIMIT_SECONDS: setting(
    'seconds that one statement of a request that reads may take; then 503 `statement_timeout`',
    '5',
    integer(1, 30),
  ),
  WRITE_LIMIT_SECONDS: setting(
    'seconds that one statement of a request that changes something may take; then 503 `statement_timeout`',
    '15',
    integer(1, 60),
  ),
  TEAM_REQUESTS_WAITING: setting(
    'requests of one team that wait for their turn at the database, of each kind (quick reads, slow reads, changes); past it 429',
    '256',
    integer(1, 100_000),
  ),
} as const;
