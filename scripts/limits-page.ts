import { type Quota, type QuotaName, quotaNames, quotas } from '../src/platform/limits/quotas.ts';
import { limitSettings } from '../src/platform/limits/settings.ts';

const end: Partial<Record<QuotaName, string>> = {
  writes: '429 with `Retry-After`',
  mails: 'mails wait',
  mailsToOneAddress: 'mails wait',
  deliveries: 'deliveries are delayed',
  suggestions: '429 with `Retry-After`',
};

function quotaRows(): string {
  const rows = quotaNames.map((name) => {
    const { what, period }: Quota = quotas[name];
    return `| \`${name}\` | ${what}${period === undefined ? '' : ` per ${period}`} | ${end[name] ?? '409 `quota_exceeded`'} |\n`;
  });
  return rows.join('');
}

const head = `# Limits

These settings (environment variables) limit a team, an address or a request, so that no team affects others.
\`npm run generate\` writes this page from the source.

| setting | default | limit |
|---|---|---|
`;

const tail = (): string => `
## Values of a JSON body

Each comma and each opening bracket or brace of a body counts as one value. A body has at most 262 144 values, or fewer if \`BODY_MIB_AT_ONCE\` is small.
A larger body is 413 \`payload_too_large\` and names the number.
If another large body of the team is in progress or the node lacks memory, the response is 429. Repeat it later.

## Database share

A node has \`DATABASE_CONNECTIONS\` connections for reads and changes. A team can use a quarter of them, and more while no other team waits.

| case | effect |
|---|---|
| a read of more than 100 ms | It restarts on a connection for slow reads. A team has a share of these too. |
| more than 10 s of waiting, or a full queue of the team | 429 \`rate_limited\` with \`Retry-After\` |
| a change above 25 ms or a read above 100 ms that is four times slower than others | It runs alone while other teams wait. After 250 ms the team pauses for the same time. |
| a statement above its time limit | 503 \`statement_timeout\` with \`Retry-After\`; nothing changed |
| a public submission | It uses the share of the team of the form. |
| emails of a team | Each node sends about 60 per second. |

## Quotas of a team

\`GET /api/v1/team/usage\` lists each quota with usage, limit, unit, period and \`resetsAt\`. The owner, administrators and API clients with \`team:read\` can call it.

| quota | counts | when it is used up |
|---|---|---|
${quotaRows()}
- Webhook deliveries have a burst of five minutes. Later ones follow at an even pace.
- 409 \`quota_exceeded\` has the member \`quota\` with name, usage and limit. Delayed work keeps its order. Journal entries have no limit.
- The event \`quota.exceeded\` reports each quota once an hour. \`chancery_quota_exceeded_total{quota}\` counts it.
- Counts are exact over all nodes. Limits per second and concurrency limits apply to each node, with its part.
- Staff raise a quota of a team with \`PUT /api/v1/staff/teams/{id}/quotas {quotas: {documents: 5000000}, reason}\`. \`null\` restores the setting.
  The journal records \`team.quotas_changed\`.

## Event loop

No operation uses the event loop of a node for more than 50 ms of CPU time. \`npm run bench -- event-loop\` prints the longest time of each
costly operation. Work of unknown cost, such as patterns of users, runs in threads and processes with CPU limits.

## Background work

A failed background job is logged, counted in \`chancery_job_failures_total{job}\` and retried with growing delays. Other jobs continue.
After ten failures it is discarded, tried once a day, and counted in \`chancery_job_items_discarded{name}\`. The table \`job_failure\` has the reason.
`;

/** Generates docs/reference/generated/limits.md from the settings. */
export function limitsPage(): string {
  const rows = Object.entries(limitSettings).map(([name, { fallback, help }]) => `| \`${name}\` | \`${fallback ?? ''}\` | ${help} |\n`);
  return `${head}${rows.join('')}${tail()}`;
}
