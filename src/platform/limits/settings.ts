import { integer, setting } from '../settings.ts';

const most = 1_000_000_000;

/**
 * The limits of a team, an IP address or a request that operators can change, with their defaults.
 * docs/reference/generated/limits.md is generated from them.
 */
export const limitSettings = {
  READ_LIMIT_SECONDS: setting(
    'time limit in seconds of one statement of a request that only reads; above it 503 `statement_timeout`',
    '5',
    integer(1, 30),
  ),
  WRITE_LIMIT_SECONDS: setting(
    'time limit in seconds of one statement of a request that changes data; above it 503 `statement_timeout`',
    '15',
    integer(1, 60),
  ),
  TEAM_REQUESTS_WAITING: setting(
    'waiting database requests of one team, for each kind (fast reads, slow reads, changes); above it 429',
    '256',
    integer(1, 100_000),
  ),
  TEAM_REQUESTS_AT_ONCE: setting(
    'concurrent requests of one team on a node, until the end of their responses; above it 429',
    '500',
    integer(1, 1_000_000),
  ),
  TOKEN_REQUESTS_AT_ONCE: setting('concurrent requests of one session or client; above it 429', '100', integer(1, 1_000_000)),
  BODY_MIB_AT_ONCE: setting(
    'MiB of memory for the bodies of all concurrent requests on a node, plus 32 bytes for each JSON value. Files that are streamed to the storage do not count. Teams share two thirds, and each can use three fifths of the free part. Callers without a credential share one third, and each IP address can use a quarter of the free part in addition to its first request. Above it 429; 413 if the body can never fit',
    '128',
    integer(1, 1_000_000),
  ),
  TEAM_BODY_MIB_AT_ONCE: setting('MiB of this memory for one team; above it 429', '32', integer(1, 1_000_000)),
  ANSWER_MIB_AT_ONCE: setting(
    'MiB of unread responses above 64 KiB on a node, except files and exports. Teams share two thirds, callers without a credential one third; a team or an IP address can use half of the free part. Above it a read gets 429. A change still gets its response, but until the caller reads it, further changes of the same person, client or IP address get 429',
    '96',
    integer(8, 1_000_000),
  ),
  UPLOAD_SPOOL_MIB: setting(
    'MiB of disk for incomplete uploads on a node. Uploads to a bucket use TMPDIR, 5 MiB for each file above 64 KiB. A team, its visitors, and an IP address can each use an eighth of the free part. Uploads to a folder use that folder, with their declared size. The limit is at least four times MAX_UPLOAD_MB, and each team or IP address can use a quarter of the free part. Of the concurrent uploads of visitors to a team, an IP address can use twice MAX_UPLOAD_MB, at least 100. Above it 429',
    '4096',
    integer(16, 1_000_000),
  ),
  CONNECTIONS_PER_ADDRESS: setting(
    'concurrent connections of one IP address (an IPv6 /64) to a node, except from TRUSTED_PROXIES; further connections get 429 and are closed. The same number limits waiting pipelined requests; above it the connection is closed. 0 disables the limit',
    '512',
    integer(0, 1_000_000),
  ),
  TEAM_WRITES_PER_SECOND: setting(
    'requests per second that change data, of one team across all nodes; bursts of ten seconds are allowed; above it 429',
    '200',
    integer(1, 1_000_000),
  ),
  TEAM_DOCUMENTS: setting('documents of a team, including those in the bin; above it 409 `quota_exceeded`', '1000000', integer(0, most)),
  TEAM_STORAGE_GIB: setting(
    'storage of a team in GiB, including all document versions and uploads of visitors; above it 409',
    '500',
    integer(0, 1_000_000),
  ),
  TEAM_WORKFLOWS: setting('workflows of a team, including ended ones; above it 409', '200000', integer(0, most)),
  TEAM_TEMPLATES: setting('workflow templates of a team; above it 409', '500', integer(0, most)),
  TEAM_DOCUMENT_TEMPLATES: setting('document templates of a team; above it 409', '500', integer(0, most)),
  TEAM_INTERFACES: setting('forms and booking forms of a team, including deleted ones; above it 409', '2000', integer(0, most)),
  TEAM_SIGNATURE_REQUESTS: setting('signature requests of a team, including ended ones; above it 409', '200000', integer(0, most)),
  TEAM_SUBMISSIONS: setting('form submissions to a team, including erased ones; above it 409', '10000000', integer(0, most)),
  TEAM_REGISTRIES: setting('registries of a team, including those in the bin; above it 409', '1000', integer(0, most)),
  TEAM_REGISTRY_RECORDS: setting(
    'records in all registries of a team, including those in the bin; above it 409',
    '1000000',
    integer(0, most),
  ),
  TEAM_REGISTRY_VERSIONS: setting(
    'earlier versions of records that a team keeps as their history; above it 409',
    '5000000',
    integer(0, most),
  ),
  TEAM_AGENTS: setting('AI agents of a team; above it 409', '50', integer(1, most)),
  TEAM_AGENT_SKILLS: setting('AI agent skills that a team installs; above it 409', '100', integer(0, 1_000)),
  TEAM_AGENT_JOBS: setting('AI agent jobs of a team; above it 409', '1000', integer(0, most)),
  TEAM_JOBS_WAITING: setting('waiting jobs of a team, such as mails to send; above it 409', '10000', integer(0, most)),
  TEAM_MAILS_PER_DAY: setting(
    'mails per day that a team causes, such as invitations and notifications; further mails are delayed; mails about accounts do not count',
    '2000',
    integer(1, most),
  ),
  TEAM_MAILS_TO_ADDRESS_PER_HOUR: setting(
    'mails per hour of a team to one email address; further mails are delayed',
    '30',
    integer(1, most),
  ),
  TEAM_DELIVERIES_PER_HOUR: setting(
    'event deliveries per hour to the endpoints of a team; further deliveries are delayed, never dropped',
    '100000',
    integer(1, most),
  ),
  TEAM_SUGGESTIONS_PER_HOUR: setting(
    'address suggestions per hour that visitors of the forms of a team request from an external provider; above it 429',
    '10000',
    integer(1, most),
  ),
} as const;

export type LimitValues = { [Name in keyof typeof limitSettings]: ReturnType<(typeof limitSettings)[Name]['read']> };
