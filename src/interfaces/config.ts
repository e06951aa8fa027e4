import { integer, setting } from '../platform/settings.ts';

/** The settings of this domain. */
export const submissionSettings = {
  FORM_SUBMITS_PER_MINUTE: setting('submissions a minute to one form, on each node; 0 is no limit', '60', integer(0, 600)),
  FORM_SUBMITS_PER_ADDRESS: setting(
    'submissions a minute from one address (IPv6: /64) to one form, on each node; 0 is no limit',
    '20',
    integer(0, 600),
  ),
} as const;
