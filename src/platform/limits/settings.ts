import { integer, setting } from '../settings.ts';

const most = 1_000_000_000;

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
  TEAM_REQUESTS_AT_ONCE: setting(
    'requests of one team under way at once on a node, from their headers to the end of their answers; past it 429',
    '500',
    integer(1, 1_000_000),
  ),
  TOKEN_REQUESTS_AT_ONCE: setting('the same for one session or client', '100', integer(1, 1_000_000)),
  CONNECTIONS_PER_ADDRESS: setting(
    'connections from one address (an IPv6 /64) to a node at once, proxies of TRUSTED_PROXIES apart; past it they are answered 429 and closed; 0 is no limit',
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
