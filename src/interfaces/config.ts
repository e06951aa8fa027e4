import { isAbsolute } from 'node:path';
import { integer, setting } from '../platform/settings.ts';
import type { ScannerAddress } from '../platform/storage/scanner.ts';

function scannerAddress(value: string): ScannerAddress | undefined {
  if (value === '') return undefined;
  if (isAbsolute(value)) return { path: value };
  const [, host = '', port = ''] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(value) ?? [];
  if (host !== '' && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
  throw new Error('must be the whole path of a socket, or a host with its port, such as 127.0.0.1:3310');
}

/** The settings of this domain. */
export const interfaceSettings = {
  FORM_SUBMITS_PER_MINUTE: setting('submissions a minute to one form, on each node; 0 is no limit', '60', integer(0, 600)),
  FORM_SUBMITS_PER_ADDRESS: setting(
    'submissions a minute from one address (IPv6: /64) to one form, on each node; 0 is no limit',
    '20',
    integer(0, 600),
  ),
  FORM_UPLOADS_PER_ADDRESS: setting(
    'files a minute from one address (IPv6: /64) to one form, on each node; 0 is no limit',
    '30',
    integer(0, 600),
  ),
  FORM_REPORTS_PER_ADDRESS: setting(
    'reports of pages to staff a minute from one address (IPv6: /64), on each node; 0 is no limit',
    '5',
    integer(0, 600),
  ),
  CLAMD_ADDRESS: setting(
    'clamd that looks through files of visitors for viruses: the path of its socket, or host:port; without it none does, and while it is away no file is taken',
    '',
    scannerAddress,
  ),
  SUGGEST_PER_MINUTE: setting(
    'suggestions of addresses a minute from one address (IPv6: /64), on each node; 0 is no limit',
    '60',
    integer(0, 10_000),
  ),
} as const;
