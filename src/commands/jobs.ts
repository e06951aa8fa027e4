import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { withDatabase } from '../open-database.ts';
import { serviceTeam } from '../platform/journal/record.ts';
import { createJobAdmin } from '../platform/jobs/job-admin.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Operator, UsageError } from './operator.ts';

export const usage = `Usage: chancery jobs list [--state failed|waiting|ready|running] [--job name] [--limit 100] [--json]
       chancery jobs retry <id>
       chancery jobs retry --job name
       chancery jobs retry --all

list shows permanently failed jobs, or the jobs in another state. retry runs failed jobs again.
`;

const states = ['failed', 'waiting', 'ready', 'running'];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Lists background jobs, or retries permanently failed ones. */
export async function run(args: string[], { env, stdout, stderr }: Operator = process): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      state: { type: 'string', default: 'failed' },
      job: { type: 'string' },
      limit: { type: 'string', default: '100' },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [action, id] = positionals;
  const limit = Number(values.limit);
  const listed =
    action === 'list' &&
    positionals.length === 1 &&
    states.includes(values.state) &&
    Number.isInteger(limit) &&
    limit > 0 &&
    limit <= 10_000;
  const named = [id !== undefined, values.job !== undefined, values.all].filter(Boolean).length === 1;
  const retried = action === 'retry' && positionals.length <= 2 && named && (id === undefined || uuid.test(id));
  if (!listed && !retried)
    throw new UsageError(action === 'retry' ? 'Specify a job ID, --job or --all.' : 'Specify an action: list or retry.');
  return withDatabase(readConfig(env), createLogger('warn'), async (database) => {
    const jobs = createJobAdmin(database);
    if (retried) return saysRetried(await jobs.retry({ id, name: values.job }), { stdout, stderr });
    for (const { team_id: team, due_at: due, created_at: created, ...job } of await jobs.list({
      state: values.state,
      name: values.job,
      limit,
    })) {
      const shown = { ...job, team: team === serviceTeam ? null : team, due, created };
      stdout.write(values.json ? `${JSON.stringify(shown)}\n` : line(shown));
    }
    return 0;
  });
}

function saysRetried(ids: readonly string[], { stdout, stderr }: Pick<Operator, 'stdout' | 'stderr'>): number {
  if (ids.length === 0) stderr.write('No failed job matches. See `chancery jobs list`.\n');
  else stdout.write(`${ids.length === 1 ? '1 job is' : `${ids.length} jobs are`} ready to run again.\n`);
  return ids.length === 0 ? 1 : 0;
}

type JobLine = { id: string; name: string; state: string; attempts: number; error: string | null; team: string | null; due: string };

/** Formats a job as one line. An error can contain client input, so control characters become spaces. */
function line({ id, name, state, attempts, error, team, due }: JobLine): string {
  const cause = (error ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return `${[id, name, state, due, `attempts ${attempts}`, `team ${team ?? 'none'}`, cause].join('\t')}\n`;
}
