import { integer, setting } from '../../platform/settings.ts';

export const folderSettings = {
  BARRIER_JOB_DOCUMENTS: setting(
    'largest number of documents whose barrier one request changes; if there are more, a background job changes them',
    '20000',
    integer(0, 1_000_000),
  ),
} as const;
