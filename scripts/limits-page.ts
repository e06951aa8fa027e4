import { limitSettings } from '../src/platform/limits/settings.ts';

const head = `# Limits

How much one team, one address or one request may take, so that nothing a single team does is felt by others. Each is a setting
(an environment variable); this table is made from the source by \`npm run generate\`.

| setting | default | what it limits |
|---|---|---|
`;

const tail = `
## How the database is shared

A node has connections for reads and for changes (\`DATABASE_CONNECTIONS\`). Teams that want them at the same time take turns, and each has a
quarter of them as its share; one that is alone, and whose work is quick, may use more. A read that takes longer than a
quarter of a second is ended and done again on a connection for slow reads, of which a team has its share as well. Who waits longer
than ten seconds, or with too many others of its team, gets 429 \`rate_limited\` with \`Retry-After\`.

A statement that takes longer than its limit is ended, and the request answered by 503 \`statement_timeout\` with \`Retry-After\`: nothing
was changed.

## Background work

What a background pass cannot do for one thing of a team is logged, counted in \`chancery_job_failures_total{job}\`, and tried again after a
growing while; the rest of the pass goes on. After ten failures the thing is set aside, tried once a day, and counted in
\`chancery_job_things_set_aside{job}\`. The table \`job_trouble\` says why.
`;

/** docs/limits.md, from the settings. */
export function limitsPage(): string {
  const rows = Object.entries(limitSettings).map(([name, { fallback, help }]) => `| \`${name}\` | \`${fallback ?? ''}\` | ${help} |\n`);
  return `${head}${rows.join('')}${tail}`;
}
