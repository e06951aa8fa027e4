import type { SealedColumn } from '../../platform/database/reencrypt.ts';
import { busyPlace } from './busy/index.ts';
import { bookingPlace, feedPlace, tokenPurpose } from './context.ts';

const key = { team_id: 'uuid', id: 'uuid' } as const;
const purpose = tokenPurpose;

/** The encrypted columns of bookings and calendars. */
export const sealedTokens: readonly SealedColumn[] = [
  { table: 'booking', column: 'token_sealed', key, purpose, boundTo: ({ id = '' }) => bookingPlace(id) },
  { table: 'calendar', column: 'feed_sealed', key, purpose, boundTo: ({ id = '' }) => feedPlace(id) },
  { table: 'calendar_busy', column: 'url', key, purpose, boundTo: ({ id = '' }) => busyPlace(id) },
];
