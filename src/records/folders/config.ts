import { integer, setting } from '../../platform/settings.ts';

/** The settings of this domain. */
export const folderSettings = {
  BARRIER_JOB_DOCUMENTS: setting(
    'documents that one request puts behind a barrier or takes out; a background job does it for more',
    '20000',
    integer(0, 1_000_000),
  ),
} as const;
