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
    return `| \`${name}\` | ${what}${period === undefined ? '' : `, a ${period}`} | ${end[name] ?? '409 `quota_exceeded`'} |\n`;
  });
  return rows.join('');
}

const head = `# Limits

How much one team, one address or one request may take, so that nothing a single team does is felt by others. Each is a setting
(an environment variable); this table is made from the source by \`npm run generate\`.

| setting | default | what it limits |
|---|---|---|
`;

const tail = (): string => `
## Values of a JSON body

What is made of a body takes more memory than its text, by the number of its values: each comma and each opening bracket or brace counts as one. A body has
at most 1 048 576 values, or as many as fit into what \`BODY_MIB_AT_ONCE\` gives to all where that is less; past it 413 \`payload_too_large\`, which says the
number. One within it is taken when the team has no other large body under way and the node has room for it: what 429 puts off is taken later.

## How the database is shared

A node has connections for reads and for changes (\`DATABASE_CONNECTIONS\`). Teams that want them at the same time take turns, and each has a
quarter of them as its share; one that is alone, and whose work is quick, may use more. A read that takes longer than a
tenth of a second is ended and done again on a connection for slow reads, of which a team has its share as well. Who waits longer
than ten seconds, or with too many others of its team, gets 429 \`rate_limited\` with \`Retry-After\`.
A submission by a public link uses the share of the team of its form.

Work that keeps the database busy (a change of more than 25 ms or a read of more than 100 ms, and four times as long as what others do) is done
one piece at a time while other teams are about, and after a quarter of a second of it the team rests for as long as it works. Of the mails that a team
causes, each node sends about sixty a second.

A statement that takes longer than its limit is ended, and the request answered by 503 \`statement_timeout\` with \`Retry-After\`: nothing
was changed.

## Quotas of a team

What a team may have or do is listed by \`GET /api/v1/team/usage\`, for owner and administrators, and for API clients with \`team:read\`: each quota
with its name, what is used, the limit and its
unit, the period over which it is counted where it comes back by itself, and \`resetsAt\`.

| quota | counts | when it is used up |
|---|---|---|
${quotaRows()}
Of deliveries five minutes’ worth go out at once; what is more waits until an even pace has come there. A refusal is 409 \`quota_exceeded\`, and its member \`quota\` has the name, what is used and the limit. What is delayed keeps its place and is done
later; entries of the journal are never limited. Either way the event \`quota.exceeded\` says so, once an hour for each quota, and
\`chancery_quota_exceeded_total{quota}\` counts it.

Counts hold over all nodes, and exactly: of many requests at once none gets past a limit. What is counted by the second or at once is
counted by each node, with its part of what a team has.

Whoever runs the service raises a quota of one team by \`PUT /api/v1/staff/teams/{id}/quotas {quotas: {documents: 5000000}, reason}\`; \`null\` puts it
back to the setting. The team's journal keeps it (\`team.quotas_changed\`).

## The event loop

No operation holds the event loop of a node for more than 50 ms of CPU time. \`npm run bench -- event-loop\` prints the longest turn of each
costly operation at its limits, and \`test/event-loop.exhaustive.test.ts\` asserts the limit. Work of unknown cost, such as patterns of users,
runs in threads and processes with limits of CPU time.

## Background work

What a background pass cannot do for one thing of a team is logged, counted in \`chancery_job_failures_total{job}\`, and tried again after a
growing while; the rest of the pass goes on. After ten failures the thing is set aside, tried once a day, and counted in
\`chancery_job_things_set_aside{job}\`. The table \`job_trouble\` says why.
`;

/** docs/limits.md, from the settings. */
export function limitsPage(): string {
  const rows = Object.entries(limitSettings).map(([name, { fallback, help }]) => `| \`${name}\` | \`${fallback ?? ''}\` | ${help} |\n`);
  return `${head}${rows.join('')}${tail()}`;
}
