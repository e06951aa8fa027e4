import { integer, setting } from '../../platform/settings.ts';

export const interfaceSettings = {
  FORM_SUBMITS_PER_MINUTE: setting('submissions a minute to one form, on each node; 0 means no limit', '60', integer(0, 600)),
  FORM_SUBMITS_PER_ADDRESS: setting(
    'submissions a minute from one address (IPv6: /64) to one form, on each node; 0 means no limit',
    '20',
    integer(0, 600),
  ),
  FORM_UPLOADS_PER_ADDRESS: setting(
    'files a minute from one address (IPv6: /64) to one form, on each node; 0 means no limit',
    '30',
    integer(0, 600),
  ),
  FORM_REPORTS_PER_ADDRESS: setting(
    'page reports a minute from one address (IPv6: /64), on each node; 0 means no limit',
    '5',
    integer(0, 600),
  ),
  SUGGEST_PER_MINUTE: setting(
    'address suggestions a minute from one address (IPv6: /64), on each node; 0 means no limit',
    '60',
    integer(0, 10_000),
  ),
} as const;
