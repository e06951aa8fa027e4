import { defineProblems, Problem } from '../problems.ts';
import { sqlDetail } from '../database/errors.ts';
import type { LimitValues } from './settings.ts';

/** A quota of a team: the counted unit, and the period for rate quotas. */
export type Quota = {
  unit: string;
  period?: 'second' | 'hour' | 'day';
  /** Description for users. */
  what: string;
  /** The default limit from the settings. */
  most: (limits: LimitValues) => number;
};

const gibibyte = 1024 ** 3;

/** All quotas of a team by name. A new counted resource needs a row here, a setting, and a counter. */
export const quotas = {
  documents: { unit: 'documents', what: 'documents, including those in the bin', most: (limits) => limits.TEAM_DOCUMENTS },
  storage: {
    unit: 'bytes',
    what: 'bytes of all document versions, uploads of visitors, template images, and agent skills',
    most: (limits) => limits.TEAM_STORAGE_GIB * gibibyte,
  },
  workflows: { unit: 'workflows', what: 'workflows, including ended ones', most: (limits) => limits.TEAM_WORKFLOWS },
  templates: { unit: 'templates', what: 'workflow templates of the team', most: (limits) => limits.TEAM_TEMPLATES },
  signatureRequests: {
    unit: 'requests',
    what: 'signature requests, including ended ones',
    most: (limits) => limits.TEAM_SIGNATURE_REQUESTS,
  },
  documentTemplates: { unit: 'templates', what: 'document templates', most: (limits) => limits.TEAM_DOCUMENT_TEMPLATES },
  interfaces: { unit: 'interfaces', what: 'forms and booking forms, including deleted ones', most: (limits) => limits.TEAM_INTERFACES },
  submissions: { unit: 'submissions', what: 'form submissions, including erased ones', most: (limits) => limits.TEAM_SUBMISSIONS },
  registries: { unit: 'registries', what: 'registries, including those in the bin', most: (limits) => limits.TEAM_REGISTRIES },
  registryRecords: {
    unit: 'records',
    what: 'registry records, including those in the bin',
    most: (limits) => limits.TEAM_REGISTRY_RECORDS,
  },
  registryVersions: {
    unit: 'versions',
    what: 'earlier versions of registry records, which form their history',
    most: (limits) => limits.TEAM_REGISTRY_VERSIONS,
  },
  agents: { unit: 'agents', what: 'AI agents', most: (limits) => limits.TEAM_AGENTS },
  agentSkills: { unit: 'skills', what: 'skills of AI agents', most: (limits) => limits.TEAM_AGENT_SKILLS },
  agentJobs: { unit: 'jobs', what: 'jobs of AI agents', most: (limits) => limits.TEAM_AGENT_JOBS },
  jobsWaiting: { unit: 'jobs', what: 'waiting jobs, such as mails to send', most: (limits) => limits.TEAM_JOBS_WAITING },
  mails: { unit: 'mails', period: 'day', what: 'mails sent, except those about accounts', most: (limits) => limits.TEAM_MAILS_PER_DAY },
  mailsToOneAddress: {
    unit: 'mails',
    period: 'hour',
    what: 'mails sent to one email address',
    most: (limits) => limits.TEAM_MAILS_TO_ADDRESS_PER_HOUR,
  },
  deliveries: {
    unit: 'deliveries',
    period: 'hour',
    what: 'event deliveries to endpoints',
    most: (limits) => limits.TEAM_DELIVERIES_PER_HOUR,
  },
  suggestions: {
    unit: 'requests',
    period: 'hour',
    what: 'address suggestions requested from an external provider',
    most: (limits) => limits.TEAM_SUGGESTIONS_PER_HOUR,
  },
  writes: { unit: 'requests', period: 'second', what: 'requests that change data', most: (limits) => limits.TEAM_WRITES_PER_SECOND },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as QuotaName[];

/** Returns a quota by an external name; undefined for an unknown name. */
export const quotaOf = (name: string): Quota | undefined => (quotas as Record<string, Quota>)[name];

export const quotaProblems = defineProblems({
  quota_exceeded: {
    status: 409,
    title: 'Team quota reached',
    help: 'The team has reached a quota; `quota` has its name, usage and limit. The owner and administrators can list all quotas with `GET /api/v1/team/usage`. Delete data that you no longer need; the bin counts until it is purged. Or ask the operator of the service to raise the quota of the team.',
  },
});

const exceeded = 'QX001';

/** Returns the quota that a database error reports as exceeded, with its usage; undefined for other errors. */
export function exceededQuota(error: unknown): { quota: string; used: number; limit: number } | undefined {
  const detail = sqlDetail(error, exceeded);
  return detail === undefined ? undefined : (JSON.parse(detail) as { quota: string; used: number; limit: number });
}

/** Returns the problem of a failure that the caller or the team can fix, such as an exceeded quota. Returns undefined for errors of the service. */
export const refusalOf = (error: unknown): Problem | undefined => (error instanceof Problem ? error : quotaProblem(error));

/** Converts an error about an exceeded quota to a problem. */
export function quotaProblem(error: unknown): Problem | undefined {
  const over = exceededQuota(error);
  if (!over) return undefined;
  const { quota, used, limit } = over;
  return quotaProblems.quota_exceeded(
    `Your team has ${used} of at most ${limit} ${quotaOf(quota)?.unit ?? quota} (quota \`${quota}\`), and this request exceeds that. Nothing was changed. Delete data that you no longer need, or ask the operator of the service to raise the quota.`,
    { members: { quota: { name: quota, used, limit } } },
  );
}
