import { integer, setting } from '../settings.ts';

const most = 1_000_000_000;

/**
 * How much one team, one address or one request may take: every limit that an operator may want to change, with its
 * default. docs/reference/generated/limits.md is made from here.
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
  TEAM_REQUESTS_AT_ONCE: setting(
    'requests of one team under way at once on a node, from their headers to the end of their answers; past it 429',
    '500',
    integer(1, 1_000_000),
  ),
  TOKEN_REQUESTS_AT_ONCE: setting('the same for one session or client', '100', integer(1, 1_000_000)),
  BODY_MIB_AT_ONCE: setting(
    'MiB of memory for bodies of all requests under way at once on a node, 32 bytes more for each value in JSON, and nothing for files that go to the storage as they come: two thirds for teams, of which one may take three fifths of what is free, one third for those without a credential, of which an address may take a quarter of what is free, besides its first; past it 429, and 413 where there is never room for it',
    '128',
    integer(1, 1_000_000),
  ),
  TEAM_BODY_MIB_AT_ONCE: setting('of these, MiB of one team’s requests; past it 429', '32', integer(1, 1_000_000)),
  ANSWER_MIB_AT_ONCE: setting(
    'MiB of answers of more than 64 KiB that wait for their readers at once on a node, files and exports apart: two thirds for teams, one third for those without a credential, of which a team, or an address, may have half of what is free; past it what only reads is answered 429, what was changed is answered all the same, and until that is read 429 is all that other changes of the same person, program or address are answered',
    '96',
    integer(8, 1_000_000),
  ),
  UPLOAD_SPOOL_MIB: setting(
    'MiB of disk that files which are half there take on a node at once: those on their way to a bucket in TMPDIR, 5 for each of more than 64 KiB, and a team, its visitors, and an address may each have an eighth of what is free; those to a folder in that one, as much as each is announced with (four times MAX_UPLOAD_MB at least), and a quarter of what is free for each of these; of what visitors send to a team at once an address may have twice MAX_UPLOAD_MB, and 100 at least; past it 429',
    '4096',
    integer(16, 1_000_000),
  ),
  CONNECTIONS_PER_ADDRESS: setting(
    'connections from one address (an IPv6 /64) to a node at once, proxies of TRUSTED_PROXIES apart; past it they are answered 429 and closed; as many requests that were sent before those ahead of them on their connections were answered, past which the connection is closed; 0 is no limit',
    '512',
    integer(0, 1_000_000),
  ),
  TEAM_WRITES_PER_SECOND: setting(
    'requests a second that change something, of one team over all nodes; ten seconds’ worth may come at once; past it 429',
    '200',
    integer(1, 1_000_000),
  ),
  TEAM_DOCUMENTS: setting('documents of a team, those in the bin included; past it 409 `quota_exceeded`', '1000000', integer(0, most)),
  TEAM_STORAGE_GIB: setting(
    'storage of a team in GiB, all versions of documents and what visitors sent; past it 409',
    '500',
    integer(0, 1_000_000),
  ),
  TEAM_WORKFLOWS: setting('workflows of a team, ended ones included; past it 409', '200000', integer(0, most)),
  TEAM_TEMPLATES: setting('workflow templates of a team; past it 409', '500', integer(0, most)),
  TEAM_DOCUMENT_TEMPLATES: setting('templates of a team for documents; past it 409', '500', integer(0, most)),
  TEAM_INTERFACES: setting('forms and booking forms of a team, deleted ones included; past it 409', '2000', integer(0, most)),
  TEAM_SIGNATURE_REQUESTS: setting('requests for signatures of a team, ended ones included; past it 409', '200000', integer(0, most)),
  TEAM_SUBMISSIONS: setting('what was submitted to a team, erased answers included; past it 409', '10000000', integer(0, most)),
  TEAM_REGISTRIES: setting('registries of a team, those in the bin included; past it 409', '1000', integer(0, most)),
  TEAM_REGISTRY_RECORDS: setting(
    'records in all registries of a team, those in the bin included; past it 409',
    '1000000',
    integer(0, most),
  ),
  TEAM_REGISTRY_VERSIONS: setting(
    'earlier versions of records that a team keeps as their history; past it 409',
    '5000000',
    integer(0, most),
  ),
  TEAM_AGENTS: setting('agents of a team; past it 409', '50', integer(1, most)),
  TEAM_AGENT_SKILLS: setting('skills of AI agents that a team installs; past it 409', '100', integer(0, 1_000)),
  TEAM_AGENT_JOBS: setting('jobs of AI agents of a team; past it 409', '1000', integer(0, most)),
  TEAM_JOBS_WAITING: setting('jobs of a team that wait to be done, such as mails to be sent; past it 409', '10000', integer(0, most)),
  TEAM_MAILS_PER_DAY: setting(
    'mails a day that a team causes, such as invitations and notifications; more wait for the next; mails about accounts do not count',
    '2000',
    integer(1, most),
  ),
  TEAM_MAILS_TO_ADDRESS_PER_HOUR: setting('of these, mails an hour to one address; more wait', '30', integer(1, most)),
  TEAM_DELIVERIES_PER_HOUR: setting(
    'deliveries of events an hour to the endpoints of a team; more are delayed, never dropped',
    '100000',
    integer(1, most),
  ),
  TEAM_SUGGESTIONS_PER_HOUR: setting(
    'suggestions of addresses an hour that visitors of a team’s forms ask a provider outside for; past it 429',
    '10000',
    integer(1, most),
  ),
} as const;

export type LimitValues = { [Name in keyof typeof limitSettings]: ReturnType<(typeof limitSettings)[Name]['read']> };
